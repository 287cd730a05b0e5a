/* Times of C's library: written for unspool. */
typedef long clock_t, time_t;
struct timespec { long tv_sec, tv_nsec; };
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};
#define TIME_UTC 1
