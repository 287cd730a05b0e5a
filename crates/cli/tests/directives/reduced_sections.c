#include <stdio.h>
#include <stdlib.h>
void hist(const int*restrict key,int n,long*restrict h,int m){
  #pragma acc parallel loop reduction(+:h[0:m]) copyin(key[0:n])
  for(int i=0;i<n;i++) h[key[i]%m]+=i;
}
void part(const float*restrict x,int n,float*restrict best,int lo,int m){
  #pragma acc parallel loop reduction(max:best[lo:m]) copyin(x[0:n])
  for(int i=0;i<n;i++) { int k=lo+i%m; if(x[i]>best[k]) best[k]=x[i]; }
}
int main(){ int n=20000,m=37; int *key=malloc(n*4); long *h=calloc(m,8); float*x=malloc(n*4); float best[60];
 for(int i=0;i<n;i++){key[i]=(i*7919)%1000; x[i]=(i*31%977)-500;}
 for(int i=0;i<m;i++)h[i]=i; for(int i=0;i<60;i++)best[i]=-1;
 hist(key,n,h,m); part(x,n,best,5,20);
 for(int i=0;i<m;i++)printf("%ld ",h[i]); for(int i=0;i<60;i++)printf("%g ",best[i]);
 int v[m][3]; for(int i=0;i<m;i++)for(int j=0;j<3;j++)v[i][j]=1;
 #pragma acc kernels loop independent reduction(+:v) copyin(key[0:n])
 for(int i=0;i<n;i++) v[key[i]%m][i%3]+=1;
 for(int i=0;i<m;i++)for(int j=0;j<3;j++)printf("%d ",v[i][j]);
 #pragma acc data copy(h[0:m]) copyin(key[0:n])
 {
 #pragma acc parallel reduction(+:h[0:m]) num_gangs(5)
 { 
  #pragma acc loop gang
  for(int i=0;i<n;i++) h[key[i]%m]+=2;
 }
 #pragma acc serial reduction(+:h[2:3])
 { h[2]+=4; h[4]+=5; }
 }
 for(int i=0;i<m;i++)printf("%ld ",h[i]);
 puts(""); return 0; }
