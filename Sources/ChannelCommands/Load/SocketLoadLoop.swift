import CommandLineKit
import Glibc
import NetworkIO
import Platform
import RelayClient
import RelayLoad
import WebRTC

/// A load on the sockets of this machine.
///
/// Thread: one, which serves all users.
final class SocketLoadLoop: LoadLoop {
  let clock: any EngineClock
  let users: LoadUsers
  private let set: SocketSet
  private let signalling: LoadSignalling
  private let networks: [LoadNetwork]

  /// Longest wait, in nanoseconds: a signal is noticed within it.
  private static let longestWait = 50_000_000
  /// Descriptors of the program beside those of the users.
  private static let ownDescriptorCount = 64

  /// Prepares the users.
  ///
  /// - Throws: exit code 69 if the system gives too few descriptors.
  init(_ plan: LoadPlan, verification: TLSVerification) throws(CommandFailure) {
    // Each user has a WebSocket and a UDP socket.
    let count = plan.numbers.count
    try OpenFiles.allow(2 * count + Self.ownDescriptorCount, for: "\(count) users")
    do {
      set = try SocketSet()
    } catch {
      throw CommandFailure(.unavailable, "\(error)")
    }
    let (set, clock) = (set, SystemClock())
    self.clock = clock
    let signalling = LoadSignalling(userCount: count, verification: verification)
    self.signalling = signalling
    let networks = (0..<count).map { LoadNetwork(number: $0, signalling, set) }
    self.networks = networks
    users = LoadUsers(
      plan, clock: clock, certificate: DTLSCertificate(unixSeconds: time(nil)),
      makeRandom: { SystemRandomNumberGenerator() }
    ) { number in (networks[number], networks[number]) }
  }

  var droppedCount: Int { networks.reduce(0) { $0 + $1.droppedCount } }

  var failure: CommandFailure? { signalling.failure.map { CommandFailure(.unavailable, $0.description) } }

  func turn(until end: Int) {
    let now = clock.nowNanoseconds
    let due = min(end, now + Self.longestWait, users.nextDeadlineNanoseconds ?? .max)
    set.wait(or: signalling.descriptors, atMostNanoseconds: max(0, due - now)) { users.takeDatagram(of: $0) }
    for number in signalling.collect() { users.serve(number) }
    users.poll()
  }

  func stop() {
    users.stop()
    signalling.stop()
  }
}
