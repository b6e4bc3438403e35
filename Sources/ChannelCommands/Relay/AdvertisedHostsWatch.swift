import CommandLineKit
import NetworkIO
import Platform

/// Resolves the names of `--advertise` every 30 s, on a separate thread: a resolver may wait for seconds.
///
/// Thread: any.
final class AdvertisedHostsWatch: Sendable {
  /// Time between two lookups.
  static let intervalMilliseconds = 30_000

  private struct State {
    var isEnded = false
    var addresses: [SocketAddress]?
    var fault: String?
  }

  private let state = Guarded(State())
  private let bell = Doorbell()

  /// Begins the lookups.
  ///
  /// - Parameters:
  ///   - hosts: The hosts.
  ///   - isFirst: Whether the first lookup is made at once.
  /// - Throws: An error if the system does not provide a thread.
  init(_ hosts: AdvertisedHosts, atOnce isFirst: Bool) throws(ThreadError) {
    if isFirst { bell.ring() }
    let thread = try BackgroundThread(named: "resolver") { [state, bell] in
      while !state.withLock({ $0.isEnded }) {
        bell.wait(atMostMilliseconds: Self.intervalMilliseconds)
        if state.withLock({ $0.isEnded }) { return }
        do throws(CommandFailure) {
          let addresses = try hosts.resolve()
          state.withLock { ($0.addresses, $0.fault) = (addresses, nil) }
        } catch {
          state.withLock { $0.fault = error.sentence }
        }
      }
    }
    // A lookup can outlive the relay; nobody waits for it.
    thread.detach()
  }

  deinit {
    state.withLock { $0.isEnded = true }
    bell.ring()
  }

  /// Takes the newest addresses, once; nil if none has come since.
  func takeAddresses() -> [SocketAddress]? {
    state.withLock { state in
      defer { state.addresses = nil }
      return state.addresses
    }
  }

  /// The fault of the last lookup; nil if it found addresses.
  var fault: String? { state.withLock { $0.fault } }
}
