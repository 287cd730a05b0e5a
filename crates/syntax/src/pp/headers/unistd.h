/* What programs ask of the system: written for unspool. */
#define _POSIX_VERSION 200809L
