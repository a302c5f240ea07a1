"""What participant.py begins with: interpreters are forked from one that has loaded PyTorch.

Loading it takes more than a second of a processor's time and some 100 MB for each interpreter. The process that was
started for an interpreter hands its standard streams to the server, waits for the end of the fork, and ends as it did.
Where there is no server, it becomes the interpreter itself.
"""
import os
import signal
import sys

IDLE_MILLIS = 60000

# Ctrl-C is for the job, which then ends its processes. Also while they load PyTorch, or wait for the end of a fork.
# PythonProcess starts them so where there is a shell.
signal.signal(signal.SIGINT, signal.SIG_IGN)


def hand_over(address):
    """Has the server at this address fork a process with this one's streams; returns if there is none."""
    import array
    import socket

    server = socket.socket(socket.AF_UNIX)
    try:
        server.connect(address)
        server.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))])
    except OSError:
        server.close()
        return
    nowhere = os.open(os.devnull, os.O_RDWR)
    for each in range(3):
        os.dup2(nowhere, each)
    said = server.recv(16)
    status = int(said) if said else 1 << 8
    if os.WIFSIGNALED(status):
        if os.WTERMSIG(status) != signal.SIGKILL:
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


def end(pid):
    """Ends a fork and what it has started."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass


def accept(server):
    """The next process that hands over, and its streams; None if it does not."""
    import array
    import socket

    link, _ = server.accept()
    link.settimeout(10)
    try:
        _, given, _, _ = link.recvmsg(1, socket.CMSG_SPACE(12))
        return link, array.array("i", given[0][2])
    except (OSError, IndexError):
        link.close()
        return None, ()


def serve(address):
    """Serves until standard input ends, or nobody is served for a while. Returns in each fork."""
    import gc
    import select
    import socket

    server = socket.socket(socket.AF_UNIX)
    server.bind(address)
    server.listen(64)
    os.write(1, b"ready\n")
    try:
        import torch  # noqa: F401
    except BaseException:
        pass  # each fork tries again, and reports it
    gc.freeze()  # so that forks share what is there
    signal.signal(signal.SIGCHLD, lambda *_: None)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    forks = {}  # by the descriptor of the process that waits for it
    poll = select.poll()
    for each in (0, server, woken):
        poll.register(each, select.POLLIN)
    while True:
        ready = [each for each, _ in poll.poll(None if forks else IDLE_MILLIS)]
        if not ready or 0 in ready:
            for pid, _ in forks.values():
                end(pid)
            os.unlink(address)
            os.rmdir(os.path.dirname(address))
            os._exit(0)
        for each in ready:
            if each in forks:  # the process that waited has ended
                end(forks[each][0])
                poll.unregister(each)
        if woken in ready:
            os.read(woken, 4096)
            for each, (pid, link) in list(forks.items()):
                ended, status = os.waitpid(pid, os.WNOHANG)
                if not ended:
                    continue
                end(pid)
                try:
                    poll.unregister(each)
                except KeyError:
                    pass  # the process that waited has ended
                try:
                    link.sendall(b"%d" % status)
                except OSError:
                    pass  # it ends just now
                link.close()
                del forks[each]
        if server.fileno() in ready:
            link, streams = accept(server)
            if link is None:
                continue
            pid = os.fork()
            if pid == 0:
                os.setpgid(0, 0)
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for to, stream in enumerate(streams):
                    os.dup2(stream, to)
                for other in [server, link] + [each for _, each in forks.values()]:
                    other.close()
                for descriptor in [woken, wake] + list(streams):
                    os.close(descriptor)
                return
            try:
                os.setpgid(pid, pid)  # whichever of the two is first
            except OSError:
                pass
            for stream in streams:
                os.close(stream)
            forks[link.fileno()] = pid, link
            poll.register(link, select.POLLIN)


if sys.version_info >= (3, 8) and len(sys.argv) == 3:
    if sys.argv[1] == "serve":
        serve(sys.argv[2])
    else:
        hand_over(sys.argv[2])
del sys.argv[1:]
