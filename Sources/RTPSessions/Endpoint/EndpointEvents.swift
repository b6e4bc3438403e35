import Platform

/// The news of an endpoint, for other threads than its own. Thread: any.
final class EndpointEvents: Sendable {
  private struct State {
    var handlers: [@Sendable (RTPEndpointEvent) -> Void] = []
    var remoteAddress: SocketAddress?
  }

  private let state: Guarded<State>

  init(remoteAddress: SocketAddress?) { state = Guarded(State(remoteAddress: remoteAddress)) }

  /// Address that packets go to; nil before it is known.
  var remoteAddress: SocketAddress? { state.withLock { $0.remoteAddress } }

  func add(_ handler: @escaping @Sendable (RTPEndpointEvent) -> Void) { state.withLock { $0.handlers.append(handler) } }

  /// Calls the handlers, without the lock.
  func post(_ event: RTPEndpointEvent) {
    let handlers = state.withLock { state in
      if case .remoteAddressChanged(let address) = event { state.remoteAddress = address }
      return state.handlers
    }
    for handler in handlers { handler(event) }
  }
}
