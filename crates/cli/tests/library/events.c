/* A tool that counts events: each that acc_prof.h names comes at least once, as often begun as ended. */
#include <acc_prof.h>
#include <stdio.h>
static int seen[acc_ev_last];
static void count(acc_prof_info *p, acc_event_info *e, acc_api_info *a) {
    if (p->event_type != e->event_type || a->device_type != p->device_type) printf("event %d is not itself\n", p->event_type);
    if (p->event_type > acc_ev_none && p->event_type < acc_ev_last) seen[p->event_type]++;
    if (p->event_type != acc_ev_runtime_shutdown) return;
    static const int pairs[] = { acc_ev_device_init_start, acc_ev_device_shutdown_start, acc_ev_enter_data_start,
        acc_ev_exit_data_start, acc_ev_update_start, acc_ev_compute_construct_start, acc_ev_enqueue_launch_start,
        acc_ev_enqueue_upload_start, acc_ev_enqueue_download_start, acc_ev_wait_start };
    for (int i = 1; i < acc_ev_last; i++) if (!seen[i]) printf("event %d never came\n", i);
    for (int i = 0; i < (int)(sizeof pairs / sizeof *pairs); i++)
        if (seen[pairs[i]] != seen[pairs[i] + 1]) printf("event %d: %d, its end %d\n", pairs[i], seen[pairs[i]], seen[pairs[i] + 1]);
    if (seen[acc_ev_create] != seen[acc_ev_delete]) printf("%d created, %d deleted\n", seen[acc_ev_create], seen[acc_ev_delete]);
    puts("over");
}
void acc_register_library(acc_prof_reg add, acc_prof_reg take, acc_prof_lookup_func look) {
    (void)take, (void)look;
    for (int i = 1; i < acc_ev_last; i++) add((acc_event_t)i, count, acc_reg);
}
#ifndef TOOL
static int x[100];
int main(void) {
    #pragma acc enter data copyin(x) async(1)
    #pragma acc parallel loop present(x) async(1)
    for (int i = 0; i < 100; i++) x[i] = i;
    #pragma acc update self(x) wait(1)
    #pragma acc exit data delete(x)
    #pragma acc wait
    #pragma acc shutdown
    return x[99] != 99;
}
#endif
