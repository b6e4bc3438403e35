import Cryptography
package import NetworkSimulation
package import Platform
import RTP
import RelayClient
package import RelayLoad
import Signalling
import WebRTC

/// A load on a simulated network: its users and a relay, on a virtual clock.
///
/// Thread: one at a time.
package final class SimulatedLoad {
  /// Clock of the load.
  package let clock = VirtualClock()
  /// The users.
  package let users: LoadUsers
  private let paths: [ChannelPath]
  private let relay: SimulatedRelay

  /// Creates the users and the relay. Until its end, OpenSSL's random numbers come from the seed in the calling thread,
  /// in which alone it may be used.
  ///
  /// - Parameters:
  ///   - plan: Plan of the load; its relay and its credentials have no effect.
  ///   - conditions: Conditions of each user's uplink and downlink.
  ///   - seed: Seed of all random numbers.
  package init(_ plan: LoadPlan, conditions: NetworkConditions, seed: UInt64) {
    SeededRandom.install(seed: seed)
    let clock = clock
    let paths = (0..<plan.userCount).map { number in
      ChannelPath(UInt32(number + 1), index: number + 1, conditions, seed: seed, clock: clock)
    }
    self.paths = paths
    var random = RandomStream(seed: seed, path: 0, 1)
    relay = SimulatedRelay(paths, clock: clock) { random.next() }
    var plan = plan
    plan.relay = SimulatedRelay.url
    plan.calendarNanoseconds =
      (SimulatedRelay.startUnixSeconds + Int(NTPTimestamp.unixEpochSeconds)) * 1_000_000_000
    plan.makeCredential = { channel, uid, role in
      .token(SimulatedRelay.makeToken(of: uid, in: channel, role: role == .broadcaster ? .broadcaster : .audience))
    }
    var userNumber: UInt64 = 0
    users = LoadUsers(
      plan, clock: clock, certificate: DTLSCertificate(unixSeconds: SimulatedRelay.startUnixSeconds),
      makeRandom: {
        userNumber += 1
        return RandomStream(seed: seed, path: userNumber, 3)
      }
    ) { number in
      (paths[number].makeSignalling(), paths[number].makeMedia(in: CallScript.channel))
    }
    relay.start()
  }

  deinit { SeededRandom.remove() }

  /// Does the work of the next moment at which anything happens, or moves the clock to a time before it.
  package func turn(until end: Int) {
    var next = min(relay.nextDeadlineNanoseconds ?? .max, users.nextDeadlineNanoseconds ?? .max)
    for path in paths { next = min(next, path.nextNanoseconds ?? .max) }
    clock.wait(untilNanoseconds: min(end, next))
    guard next <= end else { return }
    relay.run()
    for (number, path) in paths.enumerated() where path.deliverToUser(onVoice: { _, _ in }) { users.serve(number) }
    users.poll()
  }
}
