import NetworkIO
import Platform

/// Looks the names of `--advertise` up every 30 s, on a separate thread: a resolver may wait for seconds.
///
/// Thread: any.
final class AdvertisedHostsWatch: Sendable {
  /// Time between two lookups.
  static let intervalMilliseconds = 30_000

  private struct State {
    var isEnded = false
    var newest: AdvertisedHosts.Lookup?
  }

  private let state = Guarded(State())
  private let bell = Doorbell()

  /// Begins the lookups, the first of them at once.
  ///
  /// - Throws: An error if the system does not provide a thread.
  init(_ hosts: AdvertisedHosts) throws(ThreadError) {
    let thread = try BackgroundThread(named: "resolver") { [state, bell] in
      var known: [String: [SocketAddress]] = [:]
      repeat {
        let lookup = hosts.lookUp(&known)
        state.withLock { $0.newest = lookup }
        bell.wait(atMostMilliseconds: Self.intervalMilliseconds)
      } while !state.withLock { $0.isEnded }
    }
    // A lookup can outlive the relay; nobody waits for it.
    thread.detach()
  }

  deinit {
    state.withLock { $0.isEnded = true }
    bell.ring()
  }

  /// Takes the result of the newest lookup, once; nil if none has ended since.
  func take() -> AdvertisedHosts.Lookup? {
    state.withLock { state in
      defer { state.newest = nil }
      return state.newest
    }
  }
}
