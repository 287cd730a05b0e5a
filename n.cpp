   void f3(){ const int z=0; constexpr int cz=0; enum {E=0}; int *b = nullptr; auto c = true ? b : nullptr; }
