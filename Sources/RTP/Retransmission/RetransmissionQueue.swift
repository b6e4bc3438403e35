/// Packets that a receiver has requested, until they are retransmitted, no faster than at a rate.
///
///     ask(pair, now, roundTrip);  while let packet = queue.next(from: sent, now) { send(packet) }
///
/// If more is requested than can leave, the newest requests stay; the old ones would come too late.
///
/// A state machine: it reads no clock. Its memory is allocated at initialization. Thread: one at a time.
public struct RetransmissionQueue: ~Copyable {
  private static var capacity: Int { @_noLocks get { 128 } }
  /// Capacity for requests: more packets than are sent in a round trip within which an answer is useful.
  private static var requestCapacity: Int { @_noLocks get { 256 } }

  /// Outcome of the requests so far.
  public private(set) var counters = RetransmissionCounters()
  private var pacer: Pacer
  private struct Request: BitwiseCopyable {
    var number: UInt16 = 0
    var nanoseconds = Int.min / 2

    @_noLocks
    init() {}
  }

  private let requests: UnsafeMutablePointer<Request>
  /// Times of the last requests, by the lower bits of the packets' numbers.
  private let table: UnsafeMutablePointer<Request>
  private let longestWaitNanoseconds: Int
  private var first = 0
  private var count = 0

  /// Creates an empty queue with a rate that one datagram may exceed.
  ///
  /// - Parameters:
  ///   - bitsPerSecond: rate of the packets.
  ///   - longestWaitNanoseconds: time after which a packet that could not leave is skipped. Receivers request packets
  ///     while an answer comes within the buffer's delay + 60 ms; most have about 100 ms then.
  public init(bitsPerSecond: Int, longestWaitNanoseconds: Int = 100_000_000) {
    precondition(longestWaitNanoseconds >= 0, "time runs forward")
    pacer = Pacer(bitsPerSecond: bitsPerSecond)
    self.longestWaitNanoseconds = longestWaitNanoseconds
    requests = .allocate(capacity: RetransmissionQueue.capacity)
    requests.initialize(repeating: Request(), count: RetransmissionQueue.capacity)
    table = .allocate(capacity: RetransmissionQueue.requestCapacity)
    table.initialize(repeating: Request(), count: RetransmissionQueue.requestCapacity)
  }

  deinit {
    requests.deallocate()
    table.deallocate()
  }

  /// Notes requested packets, in place of the oldest if the queue is full. Real-time: wait-free; it examines 128
  /// numbers for each.
  ///
  /// - Parameters:
  ///   - pair: requested packets.
  ///   - nowNanoseconds: present time.
  ///   - roundTripNanoseconds: round trip; nil if unknown, and taken for 100 ms. A request repeated within it is a
  ///     duplicate by the network, because receivers wait until an answer could have come. It is not answered again.
  @_noLocks
  public mutating func ask(_ pair: NackPair, nowNanoseconds: Int, roundTripNanoseconds: Int? = nil) {
    for distance in 0...16 {
      guard let number = pair.sequenceNumber(distance) else { continue }
      if isCopy(number, nowNanoseconds, roundTripNanoseconds ?? 100_000_000) {
        counters.copies = counters.copies &+ 1
        continue
      }
      counters.requested = counters.requested &+ 1
      if contains(number) {
        counters.skipped = counters.skipped &+ 1
        continue
      }
      if count == RetransmissionQueue.capacity {
        removeFirst()
        counters.skipped = counters.skipped &+ 1
      }
      let index = (first &+ count) & (RetransmissionQueue.capacity &- 1)
      requests[index].number = number
      requests[index].nanoseconds = nowNanoseconds
      count = count &+ 1
    }
  }

  /// Returns the next packet to be retransmitted now, and counts it as sent; nil without one. It is valid until another
  /// is put into `sent`.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func next(from sent: borrowing RetransmissionCache, nowNanoseconds: Int) -> UnsafeRawBufferPointer? {
    while count > 0, pacer.nextNanoseconds <= nowNanoseconds {
      let request = requests[first]
      removeFirst()
      guard nowNanoseconds &- request.nanoseconds <= longestWaitNanoseconds else {
        counters.skipped = counters.skipped &+ 1
        continue
      }
      guard let packet = sent.packet(request.number, nowNanoseconds: nowNanoseconds) else {
        counters.gone = counters.gone &+ 1
        continue
      }
      pacer.depart(byteCount: packet.count, nowNanoseconds: nowNanoseconds)
      counters.retransmitted = counters.retransmitted &+ 1
      return packet
    }
    return nil
  }

  @_noLocks
  private mutating func removeFirst() {
    first = (first &+ 1) & (RetransmissionQueue.capacity &- 1)
    count = count &- 1
  }

  /// Returns whether the same packet was requested within a round trip; if not, notes the request.
  @_noLocks
  private func isCopy(_ number: UInt16, _ now: Int, _ roundTrip: Int) -> Bool {
    let request = table + (Int(number) & (RetransmissionQueue.requestCapacity &- 1))
    if request.pointee.number == number, now &- request.pointee.nanoseconds < roundTrip { return true }
    request.pointee.number = number
    request.pointee.nanoseconds = now
    return false
  }

  @_noLocks
  private func contains(_ number: UInt16) -> Bool {
    for offset in 0..<count
    where requests[(first &+ offset) & (RetransmissionQueue.capacity &- 1)].number == number { return true }
    return false
  }
}
