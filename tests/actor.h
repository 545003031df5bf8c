/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What a watched process does: a test program runs itself again with one of these scenes. Knows
 * nothing of watching.
 */
#ifndef ITF_TESTS_ACTOR_H
#define ITF_TESTS_ACTOR_H

/* The first argument that makes a test program an actor. */
#define ACT "act"

/* A scene that goes on only when told to reads this file descriptor, which is to be inherited. */
#define CUE_FD 9

/* Pages in the file that scenes map. */
#define PAGES 8

/**
 * actor_program() - the test program itself
 *
 * Return: its path. Under valgrind /proc/self/exe can be read, but is valgrind if it is run.
 */
char *actor_program(void);

/**
 * actor_main() - play a scene and exit, if this is the actor
 * @argc: of main()
 * @argv: of main(): program, ACT, scene, path of the file
 */
void actor_main(int argc, char **argv);

#endif
