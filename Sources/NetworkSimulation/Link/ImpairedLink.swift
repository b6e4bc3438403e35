/// One direction of a network that loses, delays, reorders and duplicates packets, always the same for the same seed.
///
///     send(datagram, now) ─▶ [ conditions ] ─▶ receive(now) ─▶ datagram and time of arrival, in order of time
///
/// A state machine: it reads no clock and starts nothing. Time is in nanoseconds since any moment, and never goes back.
/// The caller sleeps, or moves a virtual clock, until `nextDeadlineNanoseconds`.
///
/// Thread: one at a time.
public struct ImpairedLink<Datagram> {
  /// Counters of the packets so far.
  public private(set) var counters = LinkCounters()
  private var impairment: LinkImpairment
  private var underWay = DeliveryQueue<Datagram>()
  private var lastSendNanoseconds = Int.min
  private var latestDelivered = -1

  /// Creates a link at rest. Its randomness depends on `seed` and `link` alone: another link does not change it.
  ///
  /// - Parameters:
  ///   - conditions: Conditions of the link.
  ///   - seed: Seed of the simulation.
  ///   - link: Identity of the link.
  ///   - startNanoseconds: Start of the time in which spikes come; nil for the time of the first packet.
  public init(_ conditions: NetworkConditions, seed: UInt64, link: LinkIdentity, startNanoseconds: Int? = nil) {
    impairment = LinkImpairment(conditions: conditions, seed: seed, link: link, startNanoseconds: startNanoseconds)
  }

  /// Hands a datagram to the link. Traps if time goes back.
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

  /// Arrival time of the next datagram, in nanoseconds; nil if nothing is under way.
  public var nextDeadlineNanoseconds: Int? { underWay.first?.arrivalNanoseconds }

  /// Returns the next datagram that has arrived by now, in the order of arrival; nil if there is none.
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

  /// Conditions for packets that are sent now.
  public var conditions: NetworkConditions { impairment.conditions }

  /// Changes the conditions for packets that are sent from now on; packets under way arrive as they would have.
  public mutating func change(to conditions: NetworkConditions, nowNanoseconds: Int) {
    impairment.change(to: conditions, nowNanoseconds: nowNanoseconds)
  }
}

extension ImpairedLink: Sendable where Datagram: Sendable {}

extension ImpairedLink where Datagram == [UInt8] {
  /// Hands a datagram to the link. Traps if time goes back.
  public mutating func send(_ datagram: [UInt8], nowNanoseconds: Int) {
    send(datagram, byteCount: datagram.count, nowNanoseconds: nowNanoseconds)
  }
}
