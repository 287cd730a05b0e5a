// Short circuits are branches whose result is a parameter of the block where they meet.
__global__ void conditions(int *out, int a, int b) {
    out[0] = a && b || a == 5;
    out[1] = a ? b : -b;
    if (!(a < b)) out[2] = 1; else out[2] = 2;
}

// Cases fall through; a loop that is entered in the middle is no loop to the IR.
__global__ void switches(int *out, int n) {
    switch (n) {
    case 1: out[0] = 1;
    case 2: out[0] += 2; break;
    case 3 ... 5: out[0] = 3; break;
    default: out[0] = 9;
    }
    goto middle;
    while (n > 0) {
        out[1] += n;
middle:
        n--;
    }
}
