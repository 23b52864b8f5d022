/**
 * How long requests and calls in flight may continue after a signal, in milliseconds, before they are aborted.
 *
 * SIGTERM: supervisors kill a process after 30 s, as Kubernetes does by default. After the grace period a worker needs
 * up to 3 s more to end the aborted calls (`Worker.stop`) and up to 2 s to leave a database that does not answer: 28 s
 * in total, which leaves 2 s. SIGINT: a person who pressed Ctrl-C is waiting; a platform's answer rarely takes longer
 * than these 10 s.
 */
export const stopGraceMs = { SIGINT: 10_000, SIGTERM: 23_000 } as const
