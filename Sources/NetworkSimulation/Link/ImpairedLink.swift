/// One direction of a network that loses, delays, reorders and doubles packets, always in the same way for the same
/// seed.
///
///     send(datagram, now) ─▶ [ what conditions say ] ─▶ receive(now) ─▶ datagram and time of arrival, in order of time
///
/// A state machine: it reads no clock and starts nothing. Time is in nanoseconds since any moment, and never goes back.
/// Who drives it sleeps, or moves a virtual clock, until `nextDeadlineNanoseconds`.
///
/// Thread: one at a time.
public struct ImpairedLink<Datagram> {
  /// What has become of the packets so far.
  public private(set) var counters = LinkCounters()
  private var impairment: LinkImpairment
  private var underWay = DeliveryQueue<Datagram>()
  private var lastSendNanoseconds = Int.min
  private var latestDelivered = -1

  /// A link at rest. Its randomness depends on `seed` and `link` alone: another link does not change it.
  ///
  /// - Parameter startNanoseconds: when the time begins in which spikes come; nil: with the first packet.
  public init(_ conditions: NetworkConditions, seed: UInt64, link: LinkIdentity, startNanoseconds: Int? = nil) {
    impairment = LinkImpairment(conditions: conditions, seed: seed, link: link, startNanoseconds: startNanoseconds)
  }

  /// Hands a datagram to the link. Traps when time goes back.
  public mutating func send(_ datagram: Datagram, byteCount: Int, lane: TrafficClass = .voice, nowNanoseconds: Int) {
    precondition(byteCount >= 0 && byteCount <= 65_535, "a datagram has 0 to 65535 bytes")
    precondition(nowNanoseconds >= lastSendNanoseconds, "a link's time does not go back")
    lastSendNanoseconds = nowNanoseconds
    let packet = counters.sent
    counters.sent += 1
    let fate = impairment.fate(byteCount: byteCount, lane: lane, nowNanoseconds: nowNanoseconds)
    if let arrival = fate.arrivalNanoseconds {
      underWay.insert(datagram, packet: packet, isCopy: false, arrivalNanoseconds: arrival)
    } else if fate.isDropped {
      counters.dropped += 1
    } else {
      counters.lost += 1
    }
    if let arrival = fate.copyArrivalNanoseconds {
      counters.duplicated += 1
      underWay.insert(datagram, packet: packet, isCopy: true, arrivalNanoseconds: arrival)
    }
  }

  /// When the next datagram arrives; nil = nothing is under way.
  public var nextDeadlineNanoseconds: Int? { underWay.first?.arrivalNanoseconds }

  /// The next datagram that has arrived by now, in the order of arrival; nil = none.
  public mutating func receive(nowNanoseconds: Int) -> Delivery<Datagram>? {
    guard let next = underWay.first, next.arrivalNanoseconds <= nowNanoseconds else { return nil }
    let entry = underWay.removeFirst()
    counters.delivered += 1
    if !entry.isCopy {
      if entry.packet < latestDelivered { counters.reordered += 1 }
      latestDelivered = max(latestDelivered, entry.packet)
    }
    return Delivery(datagram: entry.datagram, arrivalNanoseconds: entry.arrivalNanoseconds)
  }

  /// What the link does to the packets that are sent now.
  public var conditions: NetworkConditions { impairment.conditions }

  /// Changes what the link does to the packets that are sent from now on; those under way arrive as they would have.
  public mutating func change(to conditions: NetworkConditions, nowNanoseconds: Int) {
    impairment.change(to: conditions, nowNanoseconds: nowNanoseconds)
  }
}

extension ImpairedLink: Sendable where Datagram: Sendable {}

extension ImpairedLink where Datagram == [UInt8] {
  /// Hands a datagram to the link. Traps when time goes back.
  public mutating func send(_ datagram: [UInt8], nowNanoseconds: Int) {
    send(datagram, byteCount: datagram.count, nowNanoseconds: nowNanoseconds)
  }
}
