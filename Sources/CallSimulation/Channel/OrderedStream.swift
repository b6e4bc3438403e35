import NetworkSimulation

/// One direction of a TCP connection: everything arrives in order, and later while the link is cut.
///
/// The link's loss and jitter are left out: a retransmission makes them a delay that depends on the system.
struct OrderedStream<Content> {
  private var underWay: [(arrivalNanoseconds: Int, content: Content)] = []
  /// Content that waits for a cut link to heal.
  private var held: [Content] = []

  /// Time from the healing of a link to the next retransmission, in nanoseconds: the least timeout of RFC 6298.
  private static var retransmissionNanoseconds: Int { 1_000_000_000 }

  mutating func send(_ content: Content, over conditions: NetworkConditions, nowNanoseconds now: Int) {
    if conditions.isCut {
      held.append(content)
    } else {
      add(content, now + conditions.delay.wholeNanoseconds)
    }
  }

  /// Notes that the link's conditions have changed.
  mutating func change(to conditions: NetworkConditions, nowNanoseconds now: Int) {
    guard !conditions.isCut else { return }
    for content in held { add(content, now + Self.retransmissionNanoseconds + conditions.delay.wholeNanoseconds) }
    held = []
  }

  /// Time of the next arrival; nil if nothing is under way.
  var nextNanoseconds: Int? { underWay.first?.arrivalNanoseconds }

  /// Returns the content that has arrived next; nil if there is none.
  mutating func receive(nowNanoseconds now: Int) -> Content? {
    guard let first = underWay.first, first.arrivalNanoseconds <= now else { return nil }
    return underWay.removeFirst().content
  }

  private mutating func add(_ content: Content, _ arrival: Int) {
    underWay.append((max(arrival, underWay.last?.arrivalNanoseconds ?? arrival), content))
  }
}

extension NetworkConditions {
  /// Whether every packet is lost.
  var isCut: Bool {
    if case .bernoulli(let probability) = loss { probability >= 1 } else { false }
  }
}
