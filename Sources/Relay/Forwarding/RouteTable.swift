import Platform
import WebRTC

/// Media connections by the addresses of their datagrams.
///
/// An address has an owner and at most one proposal: a check can be sent with a false source, so it takes no address
/// from its owner. The first authentic datagram of the proposal makes it the owner.
struct RouteTable {
  /// Time in which a proposal has to send something authentic, in nanoseconds.
  static let proposalNanoseconds = 10_000_000_000

  private struct Route {
    var owner: MediaPeer
    var proposal: MediaPeer?
    var proposalEnd = 0
  }

  private var routes: [RouteKey: Route] = [:]

  /// Number of addresses.
  var count: Int { routes.count }

  /// The connections of an address: its owner, and the proposal if there is one.
  func peers(at key: RouteKey, nowNanoseconds now: Int) -> (owner: MediaPeer, proposal: MediaPeer?)? {
    guard let route = routes[key] else { return nil }
    return (route.owner, now < route.proposalEnd ? route.proposal : nil)
  }

  /// Takes a check of a connection: it becomes the owner of a free address, and the proposal of another one.
  mutating func propose(_ peer: MediaPeer, at key: RouteKey, nowNanoseconds now: Int) {
    if var route = routes[key] {
      guard route.owner !== peer else {
        // Of two connections without keys, the newest check counts.
        if !peer.transport.isConnected { routes[key]?.proposal = nil }
        return
      }
      route.proposal = peer
      route.proposalEnd = now &+ Self.proposalNanoseconds
      routes[key] = route
    } else {
      routes[key] = Route(owner: peer)
    }
    guard !peer.routes.contains(key) else { return }
    peer.routes.append(key)
    // The address that is served stays, however many others are proposed.
    guard peer.routes.count > MediaPeer.largestRouteCount else { return }
    let served = peer.address.map { RouteKey($0) }
    if let index = peer.routes.firstIndex(where: { $0 != served }) { remove(peer.routes[index], of: peer) }
  }

  /// Takes an authentic datagram: its connection owns the address from now on.
  mutating func confirm(_ peer: MediaPeer, at key: RouteKey) {
    guard let route = routes[key], route.owner !== peer, route.proposal === peer else { return }
    routes[key] = Route(owner: peer)
    route.owner.routes.removeAll { $0 == key }
  }

  /// Removes a connection with all of its addresses.
  mutating func remove(_ peer: MediaPeer) { for key in peer.routes { remove(key, of: peer) } }

  private mutating func remove(_ key: RouteKey, of peer: MediaPeer) {
    peer.routes.removeAll { $0 == key }
    guard var route = routes[key] else { return }
    if route.owner === peer {
      routes[key] = route.proposal.map { Route(owner: $0) }
    } else if route.proposal === peer {
      route.proposal = nil
      routes[key] = route
    }
  }
}
