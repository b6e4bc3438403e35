"""Kills relays and users of channels, cuts their networks, and changes their addresses: channels.py AUDIOPIPE FOLDER NAMESPACES [NAME...]

    relay ◀─ loopback ─▶ users                       killed
          ◀─ cable ────▶ a user in a namespace       cut, or another address
          ◀─ translator ▶ users                      another port

NAMESPACES is 1 in a network namespace, in which everything but the relays is made. Every user publishes a tone of its own.
Events have their times from the users themselves; tones are measured in what they recorded.
"""

import os
import pathlib
import signal
import sys
import threading
import time
import traceback

sys.dont_write_bytecode = True
import networks  # noqa: E402
import processes  # noqa: E402
from processes import HEARD, TONES, UNHEARD, Failure, Relay, User, end, expect, figures, start_hearing, wait_until  # noqa: E402

AUDIOPIPE, FOLDER = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
HAS_NAMESPACES = sys.argv[3] == "1"
# All scenarios, if none is named.
NAMES = sys.argv[4:]
PORT, TRANSLATED, KILLED = 27_600, 27_601, 27_602
# The profile live.
DROP_TIME = 25
# Longest time until sound is heard again, in seconds.
BACK = 3
# Tolerance of the times that a connection reports, in seconds.
TOLERANCE = 0.6
# Time after which no scenario is repeated, in seconds from the start.
PATIENCE = 130
BEGAN = time.monotonic()


def hear(users, last):
    """Checks that users of a channel hear exactly each other in the last seconds of their recordings."""
    for user in users:
        levels = user.tones(last)
        for other in users:
            if other is not user:
                expect(
                    levels[other.hertz] > HEARD,
                    f"user {user.uid} hears user {other.uid} with an amplitude of {levels[other.hertz]:.4f} in the end")
        foreign = set(TONES) - {other.hertz for other in users} | {user.hertz}
        loudest = max(foreign, key=levels.get)
        expect(
            levels[loudest] < UNHEARD,
            f"user {user.uid} of '{user.channel}' hears {loudest} Hz of another channel, or itself, with an amplitude of "
            f"{levels[loudest]:.4f}")


def restart(place):
    """The relay of two channels is killed, and started again after 1 s."""
    relay = Relay(place, f"127.0.0.1:{KILLED}")
    watch = networks.KeyWatch(KILLED) if HAS_NAMESPACES else None
    # Every other user lets the relay assign a uid.
    rooms = [
        [User(place, relay.url, name, 1 + index, TONES[first + index], index % 2 == 1) for index in range(10)]
        for name, first in (("red", 0), ("blue", 10))]
    users = rooms[0] + rooms[1]
    for room in rooms:
        start_hearing(room, 30)
    uids = [user.uid for user in users]
    time.sleep(1)
    keys = watch.take() if watch else None
    relay.kill()
    killed = time.monotonic()
    time.sleep(1)
    if watch:
        watch.take()
    listening = relay.start()
    time.sleep(5)
    # Until their new keys are there, users send to the old ones.
    handshakes_after = watch.take()[1] if watch else None
    time.sleep(3)
    for room in rooms:
        end(room)
    ended = min(user.events("didLeaveChannel")[0][0] for user in users)
    counters = relay.stop()
    delays, rejoins = [], []
    for room in rooms:
        for user in room:
            for other in room:
                if other is not user:
                    at = user.heard_at(other, killed + 0.9)
                    expect(at, f"user {user.uid} of '{user.channel}' does not hear user {other.uid} after the restart")
                    delays.append(at - listening)
            come = user.events("didRejoinChannel", since=killed)
            expect(len(come) == 1, f"user {user.uid} of '{user.channel}' joined again {len(come)} times, not once")
            expect(
                come[0][1]["uid"] == user.uid, f"user {user.uid} of '{user.channel}' came back as user {come[0][1]['uid']}")
            rejoins.append(come[0][0] - listening)
            changes = [text for text in user.text(killed, ended - 0.1) if text.startswith("user ")]
            expect(not changes, f"user {user.uid} of '{user.channel}' reports {changes[0] if changes else ''}")
        hear(room, 3)
    expect([user.uid for user in users] == uids, "a user has another uid after the restart")
    worst = processes.percentile(delays, 0.95)
    expect(worst <= BACK, f"sound is heard again within {worst:.2f} s (p95), later than {BACK} s")
    expect(counters["refused_datagrams"] < 100, f"the relay refused {counters['refused_datagrams']} datagrams")
    silences = [user.silence(10.5) for user in users]
    text = f"20 users; rejoined {figures(rejoins)}; sound {figures(delays)}; silence in recordings {figures(silences)}"
    if watch:
        (ssrcs, handshakes), (new_ssrcs, late_handshakes) = keys, watch.take()
        new_handshakes = handshakes_after | late_handshakes
        watch.close()
        expect(len(handshakes) == 20, f"{len(handshakes)} DTLS handshakes were seen at first, not 20")
        expect(len(new_handshakes) >= 20, f"{len(new_handshakes)} users made new keys after the restart, not 20")
        expect(not ssrcs & new_ssrcs, f"{len(ssrcs & new_ssrcs)} SSRCs are those before the restart")
        text += f"; {len(new_handshakes)} DTLS handshakes, {len(new_ssrcs)} new SSRCs"
    return text


def killed_users(place, relay):
    """Of six users two are killed; the others are told of it after the drop time, and hear each other all along."""
    users = [User(place, relay.url, "killed", 1 + index, TONES[index]) for index in range(6)]
    start_hearing(users)
    time.sleep(2)
    dying, rest = users[:2], users[2:]
    dead = time.monotonic()
    for user in dying:
        user.kill()
    time.sleep(DROP_TIME + 3)
    over = time.monotonic()
    end(rest)
    delays, concealed = [], []
    for user in rest:
        for other in dying:
            gone = [
                (at, event["reason"]) for at, event in user.events("didOfflineOfUid", since=dead, until=over)
                if event["uid"] == other.uid]
            expect(
                [reason for _, reason in gone] == [1],
                f"user {user.uid} reports the killed user {other.uid} with {[reason for _, reason in gone]}, not once with 1")
            delays.append(gone[0][0] - dead)
        rest_texts = [text for text in user.text(dead, over) if not text.endswith("offline 1")]
        expect(not rest_texts, f"user {user.uid} reports {rest_texts} beside the killed users")
        for other in rest:
            if other is not user:
                concealed.append(user.summary()[other.uid]["concealed_ms"])
                frozen = [
                    at - dead for at, event in user.events("remoteAudioStateChanged", since=dead, until=over)
                    if event["uid"] == other.uid]
                expect(not frozen, f"user {user.uid} hears user {other.uid} interrupted {frozen} s after the kill")
    hear(rest, 4)
    longest = max(user.silence(DROP_TIME) for user in rest)
    expect(longest < 0.2, f"the rest of the channel was silent for {longest:.2f} s")
    expect(
        all(abs(delay - DROP_TIME) < 1.5 for delay in delays), f"killed users are reported after {figures(delays)}, not {DROP_TIME} s")
    return f"2 of 6 users; reported offline (1) after {figures(delays)}; the rest concealed at most {max(concealed)} ms"


def cut(place, relay, number, seconds, is_silent):
    """A user's network is cut for a time: by a cable taken out, or by packets that are lost without a sign."""
    network = networks.Namespace(number)
    try:
        channel = f"cut{number}"
        user = User(place, relay.url, channel, 1, TONES[0], inside=network.inside)
        other = User(place, relay.url, channel, 2, TONES[1])
        start_hearing([user, other])
        time.sleep(2)
        began = time.monotonic()
        network.lose_packets() if is_silent else network.unplug()
        time.sleep(max(0, began + seconds - time.monotonic()))
        network.find_packets() if is_silent else network.plug_in()
        back = time.monotonic()
        time.sleep(7)
        over = time.monotonic()
        end([user, other])
    finally:
        network.remove()
    times = [user.heard_at(other, back - 0.02), other.heard_at(user, back - 0.02)]
    expect(all(times), f"{'the user' if not times[0] else 'the other user'} hears nothing after the cut; {user.text(began)}")
    delays = [at - back for at in times]
    expect(max(delays) <= BACK, f"sound is heard again after {max(delays):.2f} s, later than {BACK} s")
    hear([user, other], 2)
    texts, others = user.text(began, over), other.text(began, over)
    wanted = [] if seconds < 4 else ["4/2", "3/15", "rejoined"] if seconds < 10 else ["4/2", "lost", "3/15", "rejoined"]
    expect(texts == wanted, f"the user reports {texts}, not {wanted}")
    allowed = [[]] + ([["user 1 offline 1", "user 1 joined"]] if seconds >= DROP_TIME - 1 else [])
    expect(others in allowed, f"the other user reports {others}")
    for name, due in (("connectionStateChanged", 4), ("connectionDidLost", 10)):
        for at, _ in user.events(name, since=began, until=over)[:1]:
            expect(abs(at - began - due) < TOLERANCE, f"{name} came {at - began:.2f} s after the cut, not {due} s")
    dropped = ", dropped at the relay" if others else ""
    return seconds, f"{delays[0]:.2f}/{delays[1]:.2f} s{dropped}", delays


def cuts(place, relay):
    """Cuts of all lengths and both kinds, side by side."""
    jobs = [(length, is_silent) for is_silent in (False, True) for length in (3, 6, 12, 25)]
    found = beside(
        [(lambda number=number, job=job: cut(place, relay, 1 + number, *job)) for number, job in enumerate(jobs)],
        [f"{length} s, {'packets lost' if is_silent else 'link down'}" for length, is_silent in jobs])
    parts = []
    for name, results in (("link down", found[:4]), ("packets lost", found[4:])):
        parts.append(name + " " + ", ".join(f"{seconds} s: {text}" for seconds, text, _ in results))
    delays = [delay for _, _, pair in found for delay in pair]
    return f"sound at the user/the other after a cut: {'; '.join(parts)}; all {figures(delays)}"


def changed_address(place, relay):
    """A user moves to another network in mid-call; its old address, and with it the WebSocket, is gone."""
    network = networks.Namespace(20)
    newcomer = None
    try:
        user = User(place, relay.url, "moved", 1, TONES[0], inside=network.inside)
        other = User(place, relay.url, "moved", 2, TONES[1])
        start_hearing([user, other])
        time.sleep(2)
        changed = time.monotonic()
        network.change_address()
        time.sleep(20)
        # Signalling has to follow, too: the user learns of a newcomer.
        newcomer = User(place, relay.url, "moved", 3, TONES[2])
        wait_until(lambda: newcomer.has_joined, 5, "a newcomer cannot join")
        came = time.monotonic()
        time.sleep(5)
        over = time.monotonic()
        end([user, other, newcomer])
    finally:
        network.remove()
    texts = user.text(changed, over)
    expect(
        user.events("didJoinedOfUid", since=came - 1, until=over),
        f"the user does not learn of a newcomer {came - changed:.0f} s after its address has changed; it reports {texts}")
    rejoins = user.events("didRejoinChannel", since=changed, until=over)
    signalling = f"; joined again {rejoins[0][0] - changed:.2f} s after the change" if rejoins else ""
    expect(
        [text for text in texts if text != "rejoined"] == ["user 3 joined"],
        f"the user with another address reports {texts}")
    return follow(user, other, changed, over, ["user 3 joined"]) + signalling


def changed_port(place):
    """An address translator gives a user another port in mid-call."""
    relay = Relay(place, f"127.0.0.1:{TRANSLATED}", advertise=["127.0.0.2"])
    translator = networks.Translator(("127.0.0.2", TRANSLATED), ("127.0.0.1", TRANSLATED))
    user = User(place, relay.url, "translated", 1, TONES[0])
    wait_until(lambda: user.has_joined, 10, "the user did not join behind the translator")
    own = translator.users
    other = User(place, relay.url, "translated", 2, TONES[1])
    start_hearing([user, other])
    time.sleep(2)
    changed = time.monotonic()
    translator.move(own)
    time.sleep(7)
    over = time.monotonic()
    end([user, other])
    relay.stop()
    texts = user.text(changed, over)
    expect(not texts, f"the user with another port reports {texts}")
    return follow(user, other, changed, over, [])


def follow(user, other, changed, over, wanted):
    """Checks that the sound of two users continues after a change; returns the figures."""
    others = other.text(changed, over)
    expect(others == wanted, f"the other user reports {others}, not {wanted}")
    silences = []
    for listener, speaker in ((user, other), (other, user)):
        changes = [
            (at - changed, event["state"])
            for at, event in listener.events("remoteAudioStateChanged", since=changed, until=over)
            if event["uid"] == speaker.uid]
        expect(
            not changes or changes[-1][1] == 2 and changes[-1][0] <= 20,
            f"user {listener.uid} reports the states {changes} of user {speaker.uid}'s sound")
        silences.append(listener.silence(over - changed + 1))
    expect(max(silences) <= BACK, f"a silence after the change is {max(silences):.2f} s long, longer than {BACK} s")
    for listener, speaker in ((user, other), (other, user)):
        level = listener.tones(2, [speaker.hertz])[speaker.hertz]
        expect(level > HEARD, f"user {listener.uid} hears user {speaker.uid} with an amplitude of {level:.4f} in the end")
    return f"longest silence at the user {silences[0]:.2f} s, at the other {silences[1]:.2f} s"


def beside(jobs, names):
    """Runs jobs at the same time; returns their results, or fails with their sentences."""
    results, faults = [None] * len(jobs), []

    def work(index):
        try:
            results[index] = jobs[index]()
        except Failure as failure:
            faults.append(f"{names[index]}: {failure}" if names else str(failure))

    owner = threading.current_thread().name
    threads = [
        threading.Thread(target=work, args=[index], name=owner if names else str(index)) for index in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise Failure("; ".join(faults))
    return results


def attempt(name, scenario, *arguments):
    """Runs a scenario, and once more if it fails: a busy machine interrupts sounds. Returns whether it is met."""
    for count in (1, 2):
        try:
            text = scenario(*arguments)
            print(f"ok     {name}: {text}", flush=True)
            return True
        except Exception as failure:
            if not isinstance(failure, Failure):
                traceback.print_exc()
            processes.kill_all(threading.current_thread().name)
            is_last = count == 2 or time.monotonic() - BEGAN > PATIENCE
            print(f"{'FAILED' if is_last else 'again '} {name}: {failure}", flush=True)
            if is_last:
                return False


def leave(code):
    """Ends with every process that was started."""
    processes.kill_all()
    sys.stdout.flush()
    os._exit(code)


def main():
    signal.signal(signal.SIGTERM, lambda *_: leave(1))
    place = processes.Place(AUDIOPIPE, FOLDER)
    addresses = [f"127.0.0.1:{PORT}"]
    if HAS_NAMESPACES:
        processes.run("ip", "link", "set", "lo", "up")
        processes.run("ip", "address", "add", f"{networks.RELAY_HOST}/32", "dev", "lo")
        addresses = [f"{networks.RELAY_HOST}:{PORT}"]
    relay = Relay(place, *addresses)
    # Side by side as far as one core carries it: a user takes about a twentieth.
    groups = [
        [("killed users", killed_users, place, relay), ("another port", changed_port, place)],
        [("killed relay", restart, place)]]
    if HAS_NAMESPACES:
        groups[0].append(("another address", changed_address, place, relay))
        groups.insert(1, [("cut networks", cuts, place, relay)])
    else:
        print("skip   cut networks, another address: they need network namespaces, as root or with 'unshare -rn'", flush=True)
    met = []
    for group in groups:
        chosen = [scenario for scenario in group if scenario[0] in NAMES or not NAMES]
        met += beside([(lambda scenario=scenario: attempt(*scenario)) for scenario in chosen], None)
    relay.stop()
    print(f"       {time.monotonic() - BEGAN:.0f} s", flush=True)
    return 0 if all(met) else 1


try:
    leave(main())
except BaseException:
    traceback.print_exc()
    leave(1)
