/* A plugin of qemu-user that counts instructions: against.py builds it and reads the number that it prints at
 * the end. The declarations are those of qemu-plugin.h, which Debian does not ship.
 *
 *     cc -shared -fPIC instructions.c -o instructions.so && qemu-aarch64 -plugin ./instructions.so -d plugin PROGRAM
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#ifndef PLUGIN_VERSION
#define PLUGIN_VERSION 1 /* qemu 4.2 to 8.2 */
#endif

struct qemu_plugin_tb; /* a block of instructions */
typedef void translated(uint64_t id, struct qemu_plugin_tb *tb);
typedef void executed(unsigned vcpu, void *instructions);
typedef void ended(uint64_t id, void *user);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, translated *f);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, executed *f, int flags, void *user);
void qemu_plugin_register_atexit_cb(uint64_t id, ended *f, void *user);
void qemu_plugin_outs(const char *text);

int qemu_plugin_version = PLUGIN_VERSION;

static uint64_t count;

static void block_runs(unsigned vcpu, void *instructions)
{
    (void)vcpu;
    count += (uintptr_t)instructions;
}

static void block_made(uint64_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_cb(tb, block_runs, 0, (void *)(uintptr_t)qemu_plugin_tb_n_insns(tb));
}

static void print(uint64_t id, void *user)
{
    char text[32];
    (void)id, (void)user;
    snprintf(text, sizeof text, "instructions %" PRIu64 "\n", count);
    qemu_plugin_outs(text);
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, block_made);
    qemu_plugin_register_atexit_cb(id, print, NULL);
    return 0;
}
