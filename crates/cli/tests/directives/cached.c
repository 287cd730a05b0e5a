#include <stdio.h>
#include <stdlib.h>
#define N 1000
float A[60][N], B[60][N];
int main(void){
  static float a[N], b[N]; double *c=malloc(N*8); static float w[7];
  for(int i=0;i<N;i++){ b[i]=(i*37%101)/8.f; c[i]=i%13; a[i]=0;}
  for(int i=0;i<7;i++) w[i]=i+1;
  for(int i=0;i<60;i++)for(int j=0;j<N;j++){A[i][j]=(i*j)%17;B[i][j]=0;}
  #pragma acc parallel loop vector_length(64)
  for(int i=1;i<N-1;i++){
    #pragma acc cache(b[i-1:3])
    a[i]=b[i-1]+2*b[i]+b[i+1];
  }
  double s=0; for(int i=0;i<N;i++) s+=a[i]*(i%7); printf("%.3f\n",s);
  #pragma acc parallel loop copyin(b[0:N]) 
  for(int i=3;i<N-3;i++){
    #pragma acc cache(b[i-3:7])
    float t=0;
    for(int k=-3;k<=3;k++) t+=b[i+k]*w[k+3];
    a[i]=t;
  }
  s=0; for(int i=0;i<N;i++) s+=a[i]*(i%7); printf("%.3f\n",s);
  #pragma acc kernels loop independent
  for(int i=1;i<59;i++)
    #pragma acc loop independent vector(32)
    for(int j=1;j<N-1;j++){
      #pragma acc cache(A[i-1:3][j-1:3])
      B[i][j]=A[i-1][j-1]+A[i-1][j+1]+A[i][j-1]-4*A[i][j]+A[i][j+1]+A[i+1][j]+(j%3==0?A[i+1][j-1]:A[i-1][j]);
    }
  s=0; for(int i=0;i<60;i++)for(int j=0;j<N;j++) s+=B[i][j]*((i+j)%7); printf("%.3f\n",s);
  int n=20,m=50;
  float *restrict p=malloc(n*m*4), *restrict q=malloc(n*m*4);
  for(int i=0;i<n*m;i++) p[i]=i%19, q[i]=0;
  #pragma acc parallel loop collapse(2) copyin(p[0:n*m]) copy(q[0:n*m])
  for(int i=1;i<n-1;i++) for(int j=1;j<m-1;j++){
    #pragma acc cache(p[i*m+j-1:3])
    int at=i*m+j;
    q[at]=p[at-1]+p[at]+p[at+1]-p[at-m]-*(p+at-m+1);
  }
  s=0; for(int i=0;i<n*m;i++) s+=q[i]*(i%7); printf("%.3f\n",s);
  { int h=30; float v[h][m], u[h][m];
    for(int i=0;i<h;i++)for(int j=0;j<m;j++) v[i][j]=i*3-j,u[i][j]=0;
    #pragma acc parallel loop copyin(v) copyout(u)
    for(int i=0;i<h;i++)
      #pragma acc loop vector(32)
      for(int j=0;j<m-2;j++){
        #pragma acc cache(v[i][j:3])
        u[i][j]=v[i][j]*v[i][j+2]+v[i][j+1];
      }
    s=0; for(int i=0;i<h;i++)for(int j=0;j<m-2;j++) s+=u[i][j]*((i+j)%7); printf("%.3f\n",s);
  }
  // not cached: each thread's own, a guard
  #pragma acc parallel loop firstprivate(b)
  for(int i=1;i<N-1;i++){
    #pragma acc cache(b[i-1:3])
    a[i]=b[i-1]+b[i+1];
  }
  s=0; for(int i=0;i<N;i++) s+=a[i]*(i%7); printf("%.3f\n",s);
  #pragma acc parallel loop copyin(c[0:N])
  for(int i=0;i<N;i++){
    #pragma acc cache(c[i-1:3])
    a[i]=(i>0?c[i-1]:0)+c[i]+(i<N-1?c[i+1]:0);
  }
  s=0; for(int i=0;i<N;i++) s+=a[i]*(i%7); printf("%.3f\n",s);
  return 0;
}
