import Platform

/// Datagrams of a path that are to be sent, and its changes.
struct PathOutput {
  /// Change of a path.
  enum Event {
    case selected(SocketAddress)
    case moved(SocketAddress)
    case failed(MediaTransportError)
  }

  var datagrams: [ICEDatagram] = []
  var events: [Event] = []

  /// Whether the peer has moved.
  var hasMoved: Bool {
    events.contains { event in
      if case .moved = event { true } else { false }
    }
  }

  /// Whether an address has been selected.
  var hasSelected: Bool {
    events.contains { event in
      if case .selected = event { true } else { false }
    }
  }
}
