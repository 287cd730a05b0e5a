// Sections that are no piece of memory, expressions that are none, words that a clause does not have, variables in two clauses.
int at_file_scope, whole[9];
struct pair { int a, b; } pair;
void f(float *p, int rows[][20], float x[10], int n) {
    int local, rectangle[9][20], cube[4][5][6];
    int *ones[9];
#pragma acc declare link(local) create(at_file_scope)
#pragma acc data copy(rectangle[3:5][:10])
    ;
#pragma acc data copy(rectangle[3:1][n:10], rectangle[2:1], cube[0:1][0:4][0:6], ones[0:9][0:3])
    ;
#pragma acc data copy(cube[0:2][0:4][0:6]) copyin(rows[0:2][0:n]) copyout(rows[2:2][0:3])
    ;
#pragma acc update self(rectangle[3:5][:10])
#pragma acc data create(p[:10]) deviceptr(p)
    ;
#pragma acc data deviceptr(pair, p[0:4]) copyin(whole[p:2])
    ;
#pragma acc host_data use_device(x[4])
    ;
#pragma acc parallel loop async(1 2) copy(whole) default(none, none)
    for (int i = 0; i < 9; i++) whole[i] = 1;
#pragma acc wait(1, *)
#pragma acc kernels loop gang(static: *num:1) worker(length: 5) vector(num: 3) copy(whole)
    for (int i = 0; i < 9; i++) whole[i] = 1;
#pragma acc kernels loop gang(num: 5 static: *) copy(whole)
    for (int i = 0; i < 9; i++) whole[i] = 1;
#pragma acc parallel copy(local)
    {
#pragma acc atomic read write
        local = n;
    }
}
