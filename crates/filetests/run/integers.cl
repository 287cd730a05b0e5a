// Integer arithmetic of OpenCL C: promotions, conversions, shifts, division, comparisons.

BEGIN(promotions)
    uchar a = V(200), b = V(100);
    char c = V(-1);
    short s = V(-300);
    ushort us = V(65535);
    uint u = V(4000000000u);
    I(a + b);            //= 300
    I((uchar)(a + b));   //= 44
    I(a - b - b - b);    //= -100
    I(-a);               //= -200
    I(~a);               //= -201
    I(~c);               //= 0
    I(c);                //= -1
    I((uchar)c);         //= 255
    I((ushort)c);        //= 65535
    I((uint)c);          //= 4294967295
    I((ulong)c);         //= -1
    I(s * s);            //= 90000
    I((short)(s * s));   //= 24464
    I(us * 2);           //= 131070
    I(us + us == 131070);//= 1
    I(u + u);            //= 3705032704
    I(u + (long)u);      //= 8000000000
    I(c < u);            //= 0
    I((long)c < u);      //= 1
    I(s < us);           //= 1
    I(sizeof(a + b));    //= 4
    I(sizeof(u + 1L));   //= 8
    I(-u);               //= 294967296
    I(!u);               //= 0
    I(!!u);              //= 1
    I((char)V(384));     //= -128
    I((short)V(0x18000));//= -32768
END

BEGIN(literals)
    I(2147483647);       //= 2147483647
    I(2147483648);       //= 2147483648
    I(0xffffffff);       //= 4294967295
    I(0x80000000 > 0);   //= 1
    I(-2147483648);      //= -2147483648
    I(sizeof(2147483648)); //= 8
    I(0x7fffffffffffffff); //= 9223372036854775807
    I(0xffffffffffffffff); //= -1
    I(017);              //= 15
    I('a');              //= 97
    I('\n');             //= 10
    I('\x7f');           //= 127
    I('\377');           //= -1
    I(sizeof('a'));      //= 4
    I(100000 * 100000L); //= 10000000000
    I(1u - 2);           //= 4294967295
    I(1 - 2u < 0);       //= 0
    I('\0');             //= 0
    I('\\');             //= 92
    F(1e3f);             //= 1000.0
    F(0x1.8p1f);         //= 3.0
    F(.5f);              //= 0.5
    F(1.f / 3);          //~ 0.333333343
END

BEGIN(shifts)
    int one = V(1);
    uint u = V(0x80000001u);
    int n = V(-8);
    long l = V(1L);
    uchar c = V(0x81);
    char sc = V(-127);
    I(one << 31);        //= -2147483648
    I(one << 32);        //= 1
    I(one << 33);        //= 2
    I(one << V(35));     //= 8
    I(n >> 1);           //= -4
    I(n >> 33);          //= -4
    I(n >> -1);          //= -1
    I(u >> 1);           //= 1073741824
    I(u >> 31);          //= 1
    I(u >> 32);          //= 2147483649
    I(u << 1);           //= 2
    I(l << 40);          //= 1099511627776
    I(l << 64);          //= 1
    I(l << V(65));       //= 2
    I(c << 1);           //= 258
    I(c >> 4);           //= 8
    I(sc >> 4);          //= -8
    I((uchar)sc >> 4);   //= 8
    I(one << (uchar)V(4)); //= 16
    I(one << (long)V(5)); //= 32
    c <<= 1;
    I(c);                //= 2
    sc >>= 1;
    I(sc);               //= -64
    uint4 v = (uint4)(1, 2, 3, V(4));
    v <<= (uint4)(31, 32, 33, 34);
    I(v.x);              //= 2147483648
    I(v.y);              //= 2
    I(v.z);              //= 6
    I(v.w);              //= 16
    char2 cv = (char2)(V(1), V(-128));
    cv = cv << (char2)(9, 1);
    I(cv.x);             //= 2
    I(cv.y);             //= 0
    cv = (char2)(V(1), V(-128)) >> (char)7;
    I(cv.x);             //= 0
    I(cv.y);             //= -1
END

BEGIN(divisions)
    int a = V(-7), b = V(2);
    uint ua = V(4294967289u);
    long l = V(-7000000000L);
    char c = V(-128);
    I(a / b);            //= -3
    I(a % b);            //= -1
    I(a / -b);           //= 3
    I(a % -b);           //= -1
    I(7 / -b);           //= -3
    I(7 % -b);           //= 1
    I(ua / 2);           //= 2147483644
    I(ua / b);           //= 2147483644
    I(ua % 10);          //= 9
    I(l / 1000);         //= -7000000
    I(l % 999);          //= -7
    I((ulong)l / 3);     //= 6148914688903183872
    I(c / -1);           //= 128
    I(c / V(3));         //= -42
    I(c % V(3));         //= -2
    c /= 3;
    I(c);                //= -42
    c %= 5;
    I(c);                //= -2
    I(a / 3);            //= -2
    I(a / 4);            //= -1
    I(a % 4);            //= -3
    I(a / 8);            //= 0
    I(V(-2147483647) / 10); //= -214748364
    I(V(2147483647) / -7);  //= -306783378
    I(V(4294967295u) / 7);  //= 613566756
    I(V(4294967295u) / 641);  //= 6700416
    I(V(123456789012345L) / 1000003);  //= 123456418
    I(V(123456789012345L) % 1000003);  //= 643091
END

BEGIN(wrap)
    uint u = V(0u);
    I(u - 1);            //= 4294967295
    I((u - 1) * (u - 1)); //= 1
    uchar c = V(255);
    c++;
    I(c);                //= 0
    c--;
    I(c);                //= 255
    ushort s = V(0);
    s -= 1;
    I(s);                //= 65535
    s += 2;
    I(s);                //= 1
    s = V(40000);
    s *= 2;
    I(s);                //= 14464
    ulong l = V(0UL);
    l--;
    I(l >> 1);           //= 9223372036854775807
    I(l % 10);           //= 5
    char sc = V(127);
    sc++;
    I(sc);               //= -128
    sc = -sc;
    I(sc);               //= -128
    short sh = V(32767);
    I(++sh);             //= -32768
    I(sh--);             //= -32768
    I(sh);               //= 32767
END

BEGIN(comparisons)
    int m = V(-1);
    uint one = V(1u);
    I(m < one);          //= 0
    I(m > one);          //= 1
    I(m == 0xffffffff);  //= 1
    I((long)m == 0xffffffff); //= 0
    I((char)V(200) < 0); //= 1
    I((uchar)V(200) < 0); //= 0
    I((short)m < one);   //= 0
    I((ushort)m > one);  //= 1
    I((ulong)m > (long)1); //= 1
    I(3 > 2 > 1);        //= 0
    I(V(5) == 5 && V(0) == 0); //= 1
    I(V(-1L) < V(0u));   //= 1
    I(V(-1) < V(0u));    //= 0
END

BEGIN(boolean)
    bool b = V(256);
    I(b);                //= 1
    I((bool)V(0.25f));   //= 1
    I((bool)V(0));       //= 0
    b = V(3) > 4;
    I(b);                //= 0
    b = !b;
    I(b + b);            //= 2
    I(sizeof(b));        //= 1
    bool c = (uchar)V(256);
    I(c);                //= 0
    b += 5;
    I(b);                //= 1
    b -= 1;
    I(b);                //= 0
    b |= 8;
    I(b);                //= 1
    I(b == true);        //= 1
    I(true + true);      //= 2
    I((char)b - 2);      //= -1
    b = (bool)(void *)0;
    I(b);                //= 0
    b = (bool)NAN;
    I(b);                //= 1
END

BEGIN(float_to_int)
    float f = V(-2.75f);
    double d = V(3e9);
    I((int)f);           //= -2
    I((char)f);          //= -2
    I((long)f);          //= -2
    I((uint)d);          //= 3000000000
    I((long)d);          //= 3000000000
    I((ulong)V(1e19));   //= -8446744073709551616
    I((int)V(0.999999f)); //= 0
    I((uchar)V(255.9f)); //= 255
    F((float)V(16777217)); //= 16777216.0
    F((float)V(16777219)); //= 16777220.0
    F((double)V(16777217)); //= 16777217.0
    F((float)V(0xffffffffu)); //= 4294967296.0
    F((float)V(0xffffffffffffffffUL)); //= 18446744073709551616.0
    F((double)V(0x7fffffffffffffffL)); //= 9223372036854775808.0
    F((float)(uchar)V(255)); //= 255.0
    F((float)(char)V(-3)); //= -3.0
    F((half)V(0.1f) * 1.0f); //= 0.0999755859375
END

BEGIN(compound)
    char c = V(100);
    c += 100;
    I(c);                //= -56
    c *= 2;
    I(c);                //= -112
    c = V(7);
    c /= 2.0f;
    I(c);                //= 3
    c += 1.75f;
    I(c);                //= 4
    c ^= 0xff;
    I(c);                //= -5
    c &= 0x3c;
    I(c);                //= 56
    c |= 0x80;
    I(c);                //= -72
    int i = V(10);
    i *= 1.5f;
    I(i);                //= 15
    i -= 20u;
    I(i);                //= -5
    i /= 2u;
    I(i);                //= 2147483645
    i = V(1);
    i += i += i += 3;
    I(i);                //= 16
    uint u = V(5);
    u >>= 1;
    I(u);                //= 2
    u -= 3L;
    I(u);                //= 4294967295
    float f = V(3);
    f *= f + 1;
    F(f);                //= 12.0
    f /= 5;
    F(f);                //~ 2.4
    f++;
    F(f);                //~ 3.4
    I((c += 5) + (c -= 5) == 2 * c + 5 || 1); //= 1
    long l = V(1);
    l <<= 33;
    l |= 1;
    I(l);                //= 8589934593
    I(l %= 1000);        //= 593
END

BEGIN(dot_products)
    char4 s = (char4)(V(-128), 127, -1, 3);
    uchar4 u = (uchar4)(V(255), 1, 200, 0);
    I(dot(s, s));                                           //= 32523
    I(dot(u, u));                                           //= 105026
    I(dot(s, u));                                           //= -32713
    I(dot(u, s));                                           //= -32713
    I(dot((uchar4)V(255), (uchar4)255));                    //= 260100
    I(dot((char4)V(-128), (uchar4)255));                    //= -130560
    I(dot(s, u) < 0 && dot(u, u) - 105027 > 0);             //= 1
    I(dot_acc_sat(s, s, V(-23)));                           //= 32500
    I(dot_acc_sat(s, s, V(0x7ffffff0)));                    //= 2147483647
    I(dot_acc_sat(s, u, V(-2147483647)));                   //= -2147483648
    I(dot_acc_sat(u, s, V(100)));                           //= -32613
    I(dot_acc_sat(u, u, V(0xfffffff0u)));                   //= 4294967295
    I(dot_acc_sat(u, u, V(0xf0000000u)) - 0xf0000000u);     //= 105026
    uint a = as_uint(s), b = as_uint(u);
    I(dot_4x8packed_ss_int(a, a));                          //= 32523
    I(dot_4x8packed_uu_uint(b, b));                         //= 105026
    I(dot_4x8packed_su_int(a, b));                          //= -32713
    I(dot_4x8packed_us_int(b, a));                          //= -32713
    I(dot_4x8packed_us_int(V(0xffffffffu), 0xffffffffu));   //= -1020
    I(dot_4x8packed_su_int(V(0xffffffffu), 0xffffffffu));   //= -1020
    I(dot_4x8packed_ss_int(V(0xffffffffu), 0xffffffffu));   //= 4
    I(dot_4x8packed_uu_uint(V(0xffffffffu), 0xffffffffu));  //= 260100
    I(dot_acc_sat_4x8packed_ss_int(a, a, V(0x7fffffff)));   //= 2147483647
    I(dot_acc_sat_4x8packed_uu_uint(b, b, V(0xffffffffu))); //= 4294967295
    I(dot_acc_sat_4x8packed_su_int(a, b, V(-2147483647)));  //= -2147483648
    I(dot_acc_sat_4x8packed_us_int(b, a, V(713)));          //= -32000
END

// Arithmetic that says whether it overflows, as clang has it in OpenCL C, too; the result may lie in any address space.
BEGIN(overflow_builtins)
    int x = V(4), r; uint u = V(4); long l; ulong ul; uchar b; char h;
    I(__builtin_add_overflow(x, 0x7fffffff, &r)); I(r);                     //= 1 -2147483645
    I(__builtin_add_overflow(x, 0x7fffffff, &l)); I(l == 0x80000003);       //= 0 1
    I(__builtin_mul_overflow(x, (ulong)-1, &ul)); I((int)ul);               //= 1 -4
    I(__builtin_mul_overflow((ulong)-x, (ulong)-1, &l)); I((int)l);         //= 1 4
    I(__builtin_sub_overflow(x, 5, &b)); I(b);                              //= 1 255
    I(__builtin_sub_overflow(3u, u, &h)); I(h);                             //= 0 -1
    I(__builtin_smul_overflow(x, 0x20000000, &r)); I(r);                    //= 1 -2147483648
    I(__builtin_umul_overflow(u, 0x3fffffffu, &u)); I(u);                   //= 0 4294967292
    I(__builtin_saddl_overflow(x, 0x7fffffffffffffff, &l)); I((int)l);      //= 1 3
    I(__builtin_usubl_overflow(x, 5ul, &ul)); I(ul == (ulong)-1);           //= 1 1
    I(__builtin_ssub_overflow(x, 5, &r) ? 7 : r);                           //= -1
    local int shared;
    I(__builtin_add_overflow(x, 1, &shared)); I(shared);                    //= 0 5
END
