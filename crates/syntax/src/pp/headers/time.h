/* Times of C's library: written for unspool. */
struct timespec { long tv_sec, tv_nsec; };
#define TIME_UTC 1
