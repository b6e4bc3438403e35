import Platform

/// The news of an endpoint, for other threads than its own. Thread: any.
final class EndpointEvents: Sendable {
  private struct State {
    var handlers: [@Sendable (RTPEndpointEvent) -> Void] = []
    var remoteAddress: SocketAddress?
    /// Events that no handler has got yet.
    var waiting: [RTPEndpointEvent] = []
    var isDelivering = false
  }

  private let state: Guarded<State>

  init(remoteAddress: SocketAddress?) { state = Guarded(State(remoteAddress: remoteAddress)) }

  /// Address that packets go to; nil before it is known.
  var remoteAddress: SocketAddress? { state.withLock { $0.remoteAddress } }

  func add(_ handler: @escaping @Sendable (RTPEndpointEvent) -> Void) { state.withLock { $0.handlers.append(handler) } }

  /// Keeps an event for `deliver`.
  func post(_ event: RTPEndpointEvent) {
    state.withLock { state in
      if case .remoteAddressChanged(let address) = event { state.remoteAddress = address }
      state.waiting.append(event)
    }
  }

  /// Calls the handlers with the events that wait, in their order. A handler may call the endpoint: no lock is held.
  func deliver() {
    while true {
      let next = state.withLock { state -> (RTPEndpointEvent, [@Sendable (RTPEndpointEvent) -> Void])? in
        guard !state.isDelivering, !state.waiting.isEmpty else { return nil }
        state.isDelivering = true
        return (state.waiting.removeFirst(), state.handlers)
      }
      guard let (event, handlers) = next else { return }
      for handler in handlers { handler(event) }
      state.withLock { $0.isDelivering = false }
    }
  }
}
