// Temporary objects end with the full expression that made them; they did not end at all.
//@ file std=20

struct Traced {
    int *t; int v;
    FN Traced(int *t, int v) : t(t), v(v) { *t = *t * 2 + 1; }
    FN Traced(const Traced &o) : t(o.t), v(o.v + 1) { *t += 100; }
    FN ~Traced() { *t = *t * 3 + v; }
    FN int value() const { return v; }
    FN Traced next() const { return Traced(t, v + 1); }
    FN explicit operator bool() const { return v > 2; }
};
FN int of(const Traced &a) { return a.v * 2; }
FN int of(const Traced &a, const Traced &b) { return a.v * 10 + b.v; }
FN Traced make(int *t, int v) { return Traced(t, v); }
FN int taken(Traced a) { return a.v * 5; }
FN int given(int *t, int v) { return of(Traced(t, v)) + *t; }
FN Traced given_object(int *t, int v) { Traced own(t, v); return make(t, of(make(t, v + 1))); }
struct Pair { Traced a; int b; FN Pair(int *t, int v) : a(t, of(Traced(t, v))), b(*t) {} };
template <class F> FN int applied(F f) { return f(); }

BEGIN(temporaries_end_with_the_full_expression)
    int t = 1;
    I(of(Traced(&t, V(2)))); I(t);
    I(make(&t, V(3)).value()); I(t);
    I(of(make(&t, 4), Traced(&t, V(5)))); I(t);
    I(make(&t, V(1)).next().next().value()); I(t);
    int x = of(Traced(&t, 6)) + of(make(&t, V(1)));
    I(x); I(t);
    //= 4 11 3 72 45 2638 3 570031 14 20521152
END

BEGIN(results_that_nobody_uses_end)
    int t = 1;
    Traced(&t, V(4));
    I(t);
    make(&t, V(5));
    I(t);
    (void)make(&t, 2), t += 7, Traced(&t, 1);
    I(t);
    //= 13 86 3254
END

BEGIN(temporaries_on_some_ways_only)
    int t = 1;
    for (int i = 0; i < 4; i++) {
        bool b = V(i) > 1 && of(Traced(&t, i)) > 4;
        I(b); I(t);
        int c = V(i) % 2 ? of(make(&t, i)) : of(Traced(&t, 7), Traced(&t, i + 2));
        I(c); I(t);
    }
    //= 0 1 72 76 0 76 2 460 0 2765 74 99586 1 597522 6 3585138
END

BEGIN(temporaries_of_conditions_end_before_the_body)
    int t = 1;
    if (of(Traced(&t, V(3))) > 5) { I(t); } else { t = 0; }
    if (make(&t, V(3))) t += 1000;
    I(t);
    for (int i = 0; of(make(&t, i)) < 5; i += Traced(&t, 1).value()) I(t);
    int n = 0;
    while (Traced(&t, V(n)).value() < 2) { n++; t &= 0xffff; }
    I(t);
    switch (make(&t, V(2)).value()) { case 2: I(t); break; default: I(-1); }
    do { n--; t &= 0xffff; } while (of(Traced(&t, n)) > 0);
    I(t);
    //= 12 1078 6471 232984 8387453 69305 415835 27879
END

BEGIN(what_a_reference_is_bound_to_ends_with_the_block)
    int t = 1;
    {
        const Traced &r = make(&t, V(3));
        const int &part = Traced(&t, V(4)).v;
        Traced &&s = Traced(&t, of(Traced(&t, 1)));
        I(r.v); I(part); I(s.v); I(t);
    }
    I(t);
    for (int i = 0; i < 2; i++) { const Traced &r = make(&t, i); if (V(i) == 0) continue; I(r.v); }
    I(t);
    //= 3 4 2 94 2571 1 92578
END

BEGIN(objects_that_become_others_end_once)
    int t = 1;
    { Traced a = make(&t, V(2)); Traced b(Traced(&t, V(3))); Traced c = V(1) ? Traced(&t, 4) : make(&t, 5); I(a.v + b.v + c.v); I(t); }
    I(t);
    I(taken(Traced(&t, V(7)))); I(t);
    I(given(&t, V(3))); I(t);
    { Traced g = given_object(&t, V(2)); I(g.v); I(t); }
    I(t);
    { Pair p(&t, V(2)); I(p.a.v); I(p.b); }
    I(t);
    I(applied([&] { return of(Traced(&t, 3)); })); I(t);
    //= 9 15 452 35 2722 5451 16338 6 1176410 3529236 4 42350843 127052533 6 762315204
END

BEGIN(a_variable_that_is_a_condition_ends_once)
    int t = 1;
    { Traced w(&t, V(3)); if (w) I(t); I(w ? 1 : 2); I(w && of(w) > 1); I(t); }
    I(t);
    if (Traced w{&t, V(4)}) I(t);
    I(t);
    int n = 0;
    while (Traced w{&t, 6 - n}) { n++; t &= 0xffff; if (n == 2) continue; I(t); }
    I(t);
    //= 3 1 1 3 12 25 79 159 5813 34887 627989
END

struct Run { int *t; int d[3]; FN Run(int *t, int v) : t(t), d{v, v + 1, v + 2} { *t = *t * 2 + 1; } FN ~Run() { *t = *t * 3 + d[0]; } FN int *begin() { return d; } FN int *end() { return d + 3; } };
FN Run run(int *t, int v) { *t += 50; return Run(t, v); }

BEGIN(what_a_loop_runs_over_is_made_once_and_ends_with_it)
    int t = 1;
    for (int x : run(&t, V(4))) { I(x); I(t); if (x == 5) break; }
    I(t);
    for (auto &x : Run(&t, V(7))) { x += 1; I(x); }
    I(t);
    //= 4 103 5 103 313 8 9 10 1889
END

BEGIN(what_a_pointer_gets_of_a_temporary_does_not_keep_it)
    int t = 1;
    int *d = Run(&t, V(3)).d, *p = Traced(&t, V(2)).t;
    I(t); I(*p); I(d != nullptr);
    //= 77 77 1
END
