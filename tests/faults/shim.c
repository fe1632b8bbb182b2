/*
 * Stands between a process and the file system, for the files below one directory. Loaded before libc (LD_PRELOAD). It makes
 * calls fail, as a page of memory that is shared with the test says; and it keeps a trace of what was written and what was
 * synced, from which the test makes what a loss of power would have left.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#include <linux/fs.h>

enum { WRITE_EIO = 1, WRITE_ENOSPC = 2, WRITE_SHORT = 4, SYNC_EIO = 8, SYNC_LOST = 16 };

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
/* Read in place of the id of the kernel's boot. */
static const char *boot;
/* Where files whose syncs are lost have this in their path. */
static const char *lost;
static int trace = -1;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULTS_CONTROL");
  directory = getenv("FAULTS_DIRECTORY");
  boot = getenv("FAULTS_BOOT");
  lost = getenv("FAULTS_LOST");
  if (path == NULL || directory == NULL) return;
  int file = REAL(open)(path, O_RDWR);
  if (file < 0) return;
  void *page = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page != MAP_FAILED) control = page;
  const char *traced = getenv("FAULTS_TRACE");
  if (traced != NULL) trace = REAL(open)(traced, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_below(const char *path) {
  size_t length = strlen(directory);
  return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* Whether a file is below the directory; its path then. */
static int path_of(int file, char target[4096]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, target, 4095);
  if (length < 0) return 0;
  target[length] = 0;
  return is_below(target);
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
  char target[4096];
  if (!path_of(file, target)) return 0;
  __sync_add_and_fetch(&control->injected, 1);
  for (uint32_t turn = random >> 10;; turn++) {
    uint32_t bit = 1u << (turn % 4);
    if (possible & bit) return bit;
  }
}

/* One thing that happened, followed by the path (of a rename both, each with a zero) and the bytes. */
struct record {
  uint32_t kind;
  uint32_t path_length;
  uint64_t inode;
  uint64_t offset;
  uint64_t length;
};

enum { CREATE = 1, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, MAKE_DIRECTORY, REMOVE_DIRECTORY, LOST_SYNC, LINK };

static void note(uint32_t kind, const char *path, size_t path_length, uint64_t inode, uint64_t offset, const struct iovec *bytes,
                 int count, uint64_t length) {
  struct record record = {kind, path_length, inode, offset, length};
  struct iovec parts[2 + 1024];
  int used = 0;
  parts[used++] = (struct iovec){&record, sizeof record};
  if (path_length > 0) parts[used++] = (struct iovec){(void *)path, path_length};
  uint64_t left = length;
  for (int i = 0; i < count && i < 1024 && left > 0; i++) {
    size_t size = bytes[i].iov_len < left ? bytes[i].iov_len : left;
    parts[used++] = (struct iovec){bytes[i].iov_base, size};
    left -= size;
  }
  if (REAL(writev)(trace, parts, used) < 0) abort();
}

/* The inode of a file that is traced, or 0. The index of a write-ahead log is made anew after a loss of power. */
static uint64_t traced(int file, char target[4096]) {
  if (trace < 0 || file == trace || !path_of(file, target)) return 0;
  size_t length = strlen(target);
  if (length > 4 && strcmp(target + length - 4, "-shm") == 0) return 0;
  struct stat stats;
  return fstat(file, &stats) == 0 ? stats.st_ino : 0;
}

static ssize_t wrote(int file, uint64_t inode, ssize_t result, const struct iovec *bytes, int count, int64_t at) {
  if (inode != 0 && result > 0) {
    if (at < 0) at = lseek(file, 0, SEEK_CUR) - result;
    note(WRITE, NULL, 0, inode, at, bytes, count, result);
  }
  return result;
}

/* Runs a write in the order of the trace. A handler of signals writes to pipes, and so never waits for the order. */
#define TRACED(call, vector, count, at)                                 \
  ({                                                                    \
    char target[4096];                                                  \
    ssize_t result;                                                     \
    uint64_t inode = traced(file, target);                              \
    if (inode == 0) result = call;                                      \
    else {                                                              \
      pthread_mutex_lock(&order);                                       \
      result = call;                                                    \
      int error = errno;                                                \
      wrote(file, inode, result, vector, count, at);                    \
      pthread_mutex_unlock(&order);                                     \
      errno = error;                                                    \
    }                                                                   \
    result;                                                             \
  })

#define WRITING(name, parameters, arguments, at)                        \
  ssize_t name parameters {                                             \
    static __typeof__(&name) real;                                      \
    if (real == NULL) real = REAL(name);                                \
    switch (fault(file, WRITE_EIO | WRITE_ENOSPC | WRITE_SHORT)) {      \
      case WRITE_EIO: errno = EIO; return -1;                           \
      case WRITE_ENOSPC: errno = ENOSPC; return -1;                     \
      case WRITE_SHORT: if (length > 1) length /= 2;                    \
    }                                                                   \
    struct iovec one = {(void *)bytes, length};                         \
    return TRACED(real arguments, &one, 1, at);                         \
  }

WRITING(write, (int file, const void *bytes, size_t length), (file, bytes, length), -1)
WRITING(pwrite, (int file, const void *bytes, size_t length, off_t at), (file, bytes, length, at), at)
WRITING(pwrite64, (int file, const void *bytes, size_t length, off64_t at), (file, bytes, length, at), at)

#define GATHERING(name, parameters, arguments, at)                      \
  ssize_t name parameters {                                             \
    static __typeof__(&name) real;                                      \
    if (real == NULL) real = REAL(name);                                \
    return TRACED(real arguments, parts, count, at);                    \
  }

GATHERING(writev, (int file, const struct iovec *parts, int count), (file, parts, count), -1)
GATHERING(pwritev, (int file, const struct iovec *parts, int count, off_t at), (file, parts, count, at), at)
GATHERING(pwritev64, (int file, const struct iovec *parts, int count, off64_t at), (file, parts, count, at), at)

/* Notes what a file has got from another one within the kernel, as the writes that would have done the same. */
static void copied(uint64_t inode, int from, int64_t read_at, int64_t write_at, int64_t length) {
  char slice[65536];
  while (length > 0) {
    ssize_t size = pread(from, slice, length < (int64_t)sizeof slice ? length : (int64_t)sizeof slice, read_at);
    if (size <= 0) return;
    struct iovec bytes = {slice, size};
    note(WRITE, NULL, 0, inode, write_at, &bytes, 1, size);
    read_at += size;
    write_at += size;
    length -= size;
  }
}

static int64_t position(int file, const int64_t *given) { return given != NULL ? *given : lseek(file, 0, SEEK_CUR); }

static ssize_t copy_range(int from, int64_t *read_at, int to, int64_t *write_at, size_t length, unsigned flags) {
  static long (*real)(long, ...);
  if (real == NULL) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  char target[4096];
  uint64_t inode = traced(to, target);
  if (inode == 0) return real(SYS_copy_file_range, from, read_at, to, write_at, length, flags);
  pthread_mutex_lock(&order);
  int64_t source = position(from, read_at), place = position(to, write_at);
  ssize_t result = real(SYS_copy_file_range, from, read_at, to, write_at, length, flags);
  int error = errno;
  if (result > 0) copied(inode, from, source, place, result);
  pthread_mutex_unlock(&order);
  errno = error;
  return result;
}

ssize_t copy_file_range(int from, off64_t *read_at, int to, off64_t *write_at, size_t length, unsigned flags) {
  return copy_range(from, (int64_t *)read_at, to, (int64_t *)write_at, length, flags);
}

/* The call by its number, which is how libuv makes it. All arguments are passed on, whatever there are. */
long syscall(long number, ...) {
  static long (*real)(long, ...);
  if (real == NULL) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  va_list rest;
  va_start(rest, number);
  long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long), d = va_arg(rest, long);
  long e = va_arg(rest, long), f = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_copy_file_range && trace >= 0) return copy_range(a, (int64_t *)b, c, (int64_t *)d, e, f);
  return real(number, a, b, c, d, e, f);
}

#define SENDING(name, type)                                             \
  ssize_t name(int to, int from, type *at, size_t length) {             \
    static __typeof__(&name) real;                                      \
    if (real == NULL) real = REAL(name);                                \
    char target[4096];                                                  \
    uint64_t inode = traced(to, target);                                \
    if (inode == 0) return real(to, from, at, length);                  \
    pthread_mutex_lock(&order);                                         \
    int64_t source = position(from, (int64_t *)at), place = position(to, NULL); \
    ssize_t result = real(to, from, at, length);                        \
    int error = errno;                                                  \
    if (result > 0) copied(inode, from, source, place, result);         \
    pthread_mutex_unlock(&order);                                       \
    errno = error;                                                      \
    return result;                                                      \
  }

SENDING(sendfile, off_t)
SENDING(sendfile64, off64_t)

/* Blocks that a file shares with another one are all that it has. */
int ioctl(int file, unsigned long request, ...) {
  static int (*real)(int, unsigned long, ...);
  if (real == NULL) real = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  char target[4096];
  uint64_t inode = request == FICLONE ? traced(file, target) : 0;
  if (inode == 0) return real(file, request, argument);
  pthread_mutex_lock(&order);
  int result = real(file, request, argument);
  int error = errno;
  int from = (int)(intptr_t)argument;
  struct stat stats;
  if (result == 0 && fstat(from, &stats) == 0) {
    note(TRUNCATE, NULL, 0, inode, 0, NULL, 0, 0);
    copied(inode, from, 0, 0, stats.st_size);
  }
  pthread_mutex_unlock(&order);
  errno = error;
  return result;
}

#define SYNCING(name)                                                   \
  int name(int file) {                                                  \
    static __typeof__(&name) real;                                      \
    if (real == NULL) real = REAL(name);                                \
    if (fault(file, SYNC_EIO)) { errno = EIO; return -1; }              \
    if (trace < 0) return real(file);                                   \
    char target[4096];                                                  \
    pthread_mutex_lock(&order);                                         \
    uint64_t inode = traced(file, target);                              \
    if (inode != 0) {                                                   \
      int is_lost = (control->faults & SYNC_LOST) && lost != NULL && strstr(target, lost) != NULL; \
      note(is_lost ? LOST_SYNC : SYNC, NULL, 0, inode, 0, NULL, 0, 0);  \
    }                                                                   \
    pthread_mutex_unlock(&order);                                       \
    return inode != 0 ? 0 : real(file);                                 \
  }

SYNCING(fsync)
SYNCING(fdatasync)

#define TRUNCATING(name, type)                                          \
  int name(int file, type length) {                                     \
    static __typeof__(&name) real;                                      \
    if (real == NULL) real = REAL(name);                                \
    if (trace < 0) return real(file, length);                           \
    char target[4096];                                                  \
    pthread_mutex_lock(&order);                                         \
    uint64_t inode = traced(file, target);                              \
    int result = real(file, length);                                    \
    int error = errno;                                                  \
    if (inode != 0 && result == 0) note(TRUNCATE, NULL, 0, inode, length, NULL, 0, 0); \
    pthread_mutex_unlock(&order);                                       \
    errno = error;                                                      \
    return result;                                                      \
  }

TRUNCATING(ftruncate, off_t)
TRUNCATING(ftruncate64, off64_t)

/* A path as the trace names it. Callers use absolute paths, or paths below the working directory. */
static int full(const char *path, char target[4096]) {
  if (trace < 0 || path == NULL) return 0;
  if (path[0] == '/') snprintf(target, 4096, "%s", path);
  else {
    char here[2048];
    if (getcwd(here, sizeof here) == NULL) return 0;
    snprintf(target, 4096, "%s/%s", here, path);
  }
  return is_below(target);
}

static int opened(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
  if (boot != NULL && path != NULL && strcmp(path, "/proc/sys/kernel/random/boot_id") == 0) path = boot;
  char target[4096];
  if (!(flags & (O_CREAT | O_TRUNC)) || !full(path, target)) return real(path, flags, mode);
  pthread_mutex_lock(&order);
  int was_there = access(target, F_OK) == 0;
  int file = real(path, flags, mode);
  int error = errno;
  struct stat stats;
  size_t length = strlen(target);
  int is_index = length > 4 && strcmp(target + length - 4, "-shm") == 0;
  if (file >= 0 && !is_index && fstat(file, &stats) == 0) {
    if (!was_there) note(CREATE, target, length, stats.st_ino, 0, NULL, 0, 0);
    else if (flags & O_TRUNC) note(TRUNCATE, NULL, 0, stats.st_ino, 0, NULL, 0, 0);
  }
  pthread_mutex_unlock(&order);
  errno = error;
  return file;
}

#define OPENING(name)                                                   \
  int name(const char *path, int flags, ...) {                          \
    static int (*real)(const char *, int, ...);                         \
    if (real == NULL) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name); \
    va_list rest;                                                       \
    va_start(rest, flags);                                              \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0; \
    va_end(rest);                                                       \
    return opened(real, path, flags, mode);                             \
  }

OPENING(open)
OPENING(open64)

/* A change of names: of one path, or of two. */
#define NAMING(kind, call, one, two)                                    \
  char path[4096], other[4096], names[8192];                            \
  if (!full(one, path) || !full(two, other)) return call;               \
  pthread_mutex_lock(&order);                                           \
  int result = call;                                                    \
  int error = errno;                                                    \
  size_t length = snprintf(names, sizeof names, "%s%c%s", path, 0, other); \
  struct stat stats;                                                    \
  if (stat(other, &stats) != 0) stats.st_ino = 0;                       \
  if (result == 0) note(kind, names, length, stats.st_ino, 0, NULL, 0, 0); \
  pthread_mutex_unlock(&order);                                         \
  errno = error;                                                        \
  return result;

int link(const char *from, const char *to) { NAMING(LINK, REAL(link)(from, to), from, to) }
int rename(const char *from, const char *to) { NAMING(RENAME, REAL(rename)(from, to), from, to) }
int unlink(const char *name) { NAMING(UNLINK, REAL(unlink)(name), name, name) }
int rmdir(const char *name) { NAMING(REMOVE_DIRECTORY, REAL(rmdir)(name), name, name) }
int mkdir(const char *name, mode_t mode) { NAMING(MAKE_DIRECTORY, REAL(mkdir)(name, mode), name, name) }

int remove(const char *name) {
  struct stat stats;
  return lstat(name, &stats) == 0 && S_ISDIR(stats.st_mode) ? rmdir(name) : unlink(name);
}

/* Directories that are removed with all that is in them. */
int unlinkat(int folder, const char *name, int flags) {
  static __typeof__(&unlinkat) real;
  if (real == NULL) real = REAL(unlinkat);
  char target[4096];
  char joined[8192];
  if (trace < 0 || name[0] == '/' || folder == AT_FDCWD || !path_of(folder, target)) {
    if (folder == AT_FDCWD || name[0] == '/') return flags & AT_REMOVEDIR ? rmdir(name) : unlink(name);
    return real(folder, name, flags);
  }
  snprintf(joined, sizeof joined, "%s/%s", target, name);
  return flags & AT_REMOVEDIR ? rmdir(joined) : unlink(joined);
}
