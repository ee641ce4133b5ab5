/* Replays inputs of a fuzz target, for builds without libFuzzer: each argument is a file or a folder of files. */
#define _DEFAULT_SOURCE
#include "fuzz.h"

#include <dirent.h>

static unsigned long replayed;

static int replay_file(const char *name)
{
    size_t size = 0, got;
    uint8_t *bytes = NULL, *exact;
    FILE *f = fopen(name, "rb");
    if (!f) return 0;
    do {
        bytes = (uint8_t *)realloc(bytes, size + 65536);
        if (!bytes) abort();
        got = fread(bytes + size, 1, 65536, f);
        size += got;
    } while (got != 0);
    if (ferror(f)) size = 0; /* a folder */
    fclose(f);
    exact = (uint8_t *)copy_of(bytes, size);
    free(bytes);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    replayed++;
    return 1;
}

static int replay_folder(const char *name)
{
    struct dirent *entry;
    char path[4096];
    DIR *folder = opendir(name);
    if (!folder) return 0;
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        if (!replay_file(path)) perror(path);
    }
    closedir(folder);
    return 1;
}

int main(int count, char **name)
{
    int i;
    for (i = 1; i < count; i++)
        if (!replay_folder(name[i]) && !replay_file(name[i])) {
            perror(name[i]);
            return 1;
        }
    printf("%lu inputs\n", replayed);
    return replayed == 0;
}
