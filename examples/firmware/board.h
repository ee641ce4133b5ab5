/* What the program needs of a board: startup.c gives it on the device, host.c on a PC. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

/* Words that survive a reset: what lies outside of the device, such as the time, and how far the
 * demonstration has come. */
enum { KEPT_START, KEPT_SCENE, KEPT_WINDOW, KEPT_SAVED, KEPT_AHEAD, KEPT_STACK, KEPT_WORDS };
extern uint32_t board_kept[KEPT_WORDS];

void board_put(char c);

/* From one reset to the next: BOARD_RESET asks for a reset, anything else ends with that status. */
enum { BOARD_OK, BOARD_FAILED, BOARD_RESET };
int demo(void);

#endif
