/*
 * Makes calls to the file system fail, for the files below one directory. Loaded before libc (LD_PRELOAD) into the process
 * under test; a page of memory that is shared with the test says which faults there are at the moment.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum { WRITE_EIO = 1, WRITE_ENOSPC = 2, WRITE_SHORT = 4, SYNC_EIO = 8 };

struct control {
  /* The faults that there are, as bits. */
  uint32_t faults;
  /* How many calls in a thousand fail. */
  uint32_t per_mille;
  /* State of the random numbers. */
  uint32_t seed;
  /* Calls that have failed so far. */
  uint32_t injected;
};

static volatile struct control *control;
static const char *directory;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULTS_CONTROL");
  directory = getenv("FAULTS_DIRECTORY");
  if (path == NULL || directory == NULL) return;
  int file = open(path, O_RDWR);
  if (file < 0) return;
  void *page = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page != MAP_FAILED) control = page;
}

/* Whether this call is to fail with one of the given faults; returns which one. */
static uint32_t fault(int file, uint32_t among) {
  if (control == NULL) return 0;
  uint32_t possible = control->faults & among;
  if (possible == 0) return 0;
  uint32_t random = __sync_add_and_fetch(&control->seed, 0x9e3779b9u);
  random = (random ^ (random >> 16)) * 0x85ebca6bu;
  random = (random ^ (random >> 13)) * 0xc2b2ae35u;
  random ^= random >> 16;
  if (random % 1000 >= control->per_mille) return 0;
  char link[64], target[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, target, sizeof target - 1);
  if (length < 0) return 0;
  target[length] = 0;
  if (strncmp(target, directory, strlen(directory)) != 0) return 0;
  __sync_add_and_fetch(&control->injected, 1);
  for (uint32_t turn = random >> 10;; turn++) {
    uint32_t bit = 1u << (turn % 4);
    if (possible & bit) return bit;
  }
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define WRITING(name, parameters, shortened, whole)                     \
  ssize_t name parameters {                                             \
    static __typeof__(&name) real;                                      \
    if (real == NULL) real = REAL(name);                                \
    switch (fault(file, WRITE_EIO | WRITE_ENOSPC | WRITE_SHORT)) {      \
      case WRITE_EIO: errno = EIO; return -1;                           \
      case WRITE_ENOSPC: errno = ENOSPC; return -1;                     \
      case WRITE_SHORT: if (length > 1) return real shortened;          \
    }                                                                   \
    return real whole;                                                  \
  }

WRITING(write, (int file, const void *bytes, size_t length), (file, bytes, length / 2), (file, bytes, length))
WRITING(pwrite, (int file, const void *bytes, size_t length, off_t at), (file, bytes, length / 2, at), (file, bytes, length, at))
WRITING(pwrite64, (int file, const void *bytes, size_t length, off64_t at), (file, bytes, length / 2, at), (file, bytes, length, at))

#define SYNCING(name)                                                   \
  int name(int file) {                                                  \
    static __typeof__(&name) real;                                      \
    if (real == NULL) real = REAL(name);                                \
    if (fault(file, SYNC_EIO)) { errno = EIO; return -1; }              \
    return real(file);                                                  \
  }

SYNCING(fsync)
SYNCING(fdatasync)
