/// State of a client's connection. Times are nanoseconds of its clock.
enum SignalPhase {
  case away(nextAttempt: Int)
  /// TCP, TLS and CONNECT are under way.
  case connecting(deadline: Int)
  case subscribing(deadline: Int)
  /// Subscribed, and the own probe is on its way.
  case probing(deadline: Int)
  case open
  /// Connected, but without messages to this user.
  case unreadable

  /// Whether messages can be published.
  var isConnected: Bool {
    switch self {
    case .away, .connecting: false
    case .subscribing, .probing, .open, .unreadable: true
    }
  }

  var deadline: Int? {
    switch self {
    case .away(let time), .connecting(let time), .subscribing(let time), .probing(let time): time
    case .open, .unreadable: nil
    }
  }
}
