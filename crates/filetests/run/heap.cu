// Objects that kernels make and end while they run.

struct Triple {
    int a, b, c;
};
struct Other {
    virtual __device__ int h() { return 5; }
    int q = 3;
};
struct Part {
    int *ended;
    int v;
    __device__ Part() : ended(nullptr), v(2) {}
    __device__ ~Part() {
        if (ended) *ended += v;
    }
};
struct Root {
    int *ended;
    __device__ Root(int *e) : ended(e) {}
    virtual __device__ int value() const { return 3; }
    virtual __device__ ~Root() { *ended += 1; }
};
struct Leaf : Other, Root {
    Part p;
    int s;
    __device__ Leaf(int s, int *e) : Root(e), s(s) { p.ended = e; }
    __device__ int value() const override { return s * s; }
    __device__ ~Leaf() { *ended += 100; }
};
struct Node {
    int v;
    Node *next;
};

//@ block=8
BEGIN(objects_made)
    int ended = 0;
    Root *a = V(1) ? new Leaf(V(5), &ended) : new Root(&ended);
    I(a->value()); //= 25
    delete a;
    I(ended); //= 103
    Root *b = new Root(&ended);
    I(b->value()); //= 3
    delete b;
    I(ended); //= 104
    Part *parts = new Part[V(3)];
    parts[1].v = 7;
    for (int i = 0; i < 3; i++) parts[i].ended = &ended;
    I(parts[0].v + parts[2].v); //= 4
    delete[] parts;
    I(ended); //= 115
    Triple *p = new Triple();
    I(p->a + p->b + p->c); //= 0
    delete p;
    p = new Triple{4, V(5)};
    I(p->a); I(p->b); I(p->c); //= 4 5 0
    delete p;
    int *v = new int[V(4)]{7, 8};
    I(v[0] + v[1] + v[2] + v[3]); //= 15
    delete[] v;
    alignas(16) char raw[64];
    Leaf *placed = new (raw) Leaf(V(6), &ended);
    I((char *)placed == raw); I(placed->value()); //= 1 36
    placed->~Leaf();
    I(ended); //= 218
    Node *list = nullptr;
    for (int i = 0; i < V(5); i++) list = new Node{i + (int)threadIdx.x, list};
    int sum = 0;
    while (list) {
        Node *next = list->next;
        sum += list->v;
        delete list;
        list = next;
    }
    I(sum); //= 5*lid+10
    int *m = (int *)malloc(V(16));
    m[3] = V(9);
    I(m[3]); //= 9
    free(m);
    int *none = nullptr;
    delete none;
    free(none);
    I(malloc((size_t)V(1) << 60) == nullptr); //= 1
END

struct Parcel { int weight; };
BEGIN(new_objects_of_deduced_types)
    auto *p = new auto(Parcel{V(4)}); I(p->weight); delete p; //= 4
    float *f = new auto(V(2.5f)); F(*f); delete f; auto *n = new auto{V(7)}; I(*n); delete n; //= 2.5 7
END
