/// What a receiver has asked for again, until it has been sent: no faster than at a rate.
///
///     ask(pair, now, roundTrip);  while let packet = queue.next(from: sent, now) { send(packet) }
///
/// Where more is asked for than can leave, the newest requests stand: what has waited for long would come too late.
///
/// A state machine: it reads no clock. Its memory is allocated when it is made. Thread: one at a time.
public struct RetransmissionQueue: ~Copyable {
  private static var capacity: Int { @_noLocks get { 128 } }
  /// More than are sent in a round trip within which an answer makes sense.
  private static var askedCapacity: Int { @_noLocks get { 256 } }

  /// What has become of requests so far.
  public private(set) var counters = RetransmissionCounters()
  private var pacer: Pacer
  private struct Request: BitwiseCopyable {
    var number: UInt16 = 0
    var nanoseconds = Int.min / 2

    @_noLocks
    init() {}
  }

  private let requests: UnsafeMutablePointer<Request>
  /// When packets were asked for last, by the lower bits of their numbers.
  private let asked: UnsafeMutablePointer<Request>
  private let longestWaitNanoseconds: Int
  private var first = 0
  private var count = 0

  /// An empty queue whose packets leave at a rate, with what one datagram may be too much.
  ///
  /// - Parameter longestWaitNanoseconds: A packet that could not leave for so long is left out. Who asks does so while
  ///   an answer comes within the buffer's delay and 60 ms: 100 ms are about what most have then.
  public init(bitsPerSecond: Int, longestWaitNanoseconds: Int = 100_000_000) {
    precondition(longestWaitNanoseconds >= 0, "time runs forward")
    pacer = Pacer(bitsPerSecond: bitsPerSecond)
    self.longestWaitNanoseconds = longestWaitNanoseconds
    requests = .allocate(capacity: RetransmissionQueue.capacity)
    requests.initialize(repeating: Request(), count: RetransmissionQueue.capacity)
    asked = .allocate(capacity: RetransmissionQueue.askedCapacity)
    asked.initialize(repeating: Request(), count: RetransmissionQueue.askedCapacity)
  }

  deinit {
    requests.deallocate()
    asked.deallocate()
  }

  /// Notes what is asked for, in place of the oldest where there is no room. Real-time: wait-free, a look at 128
  /// numbers for each.
  ///
  /// - Parameter roundTripNanoseconds: nobody asks for a packet again before an answer could have come, so a request
  ///   that comes again within it is a copy, made by the network, and is not answered once more; nil = it is not known,
  ///   and taken for 100 ms.
  @_noLocks
  public mutating func ask(_ pair: NackPair, nowNanoseconds: Int, roundTripNanoseconds: Int? = nil) {
    for distance in 0...16 {
      guard let number = pair.sequenceNumber(distance) else { continue }
      if isCopy(number, nowNanoseconds, roundTripNanoseconds ?? 100_000_000) {
        counters.copies = counters.copies &+ 1
        continue
      }
      counters.asked = counters.asked &+ 1
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

  /// The next packet to be sent again now; it counts as sent. Valid until another is put into `sent`.
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

  /// Whether the same was asked for within a round trip; otherwise it is from now on.
  @_noLocks
  private func isCopy(_ number: UInt16, _ now: Int, _ roundTrip: Int) -> Bool {
    let request = asked + (Int(number) & (RetransmissionQueue.askedCapacity &- 1))
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
