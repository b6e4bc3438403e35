/// What a receiver has asked for again, until it has been sent: no faster than at a rate.
///
///     ask(pair);  while let packet = queue.next(from: sent, now) { send(packet) }
///
/// A state machine: it reads no clock. Its memory is allocated when it is made. Thread: one at a time.
public struct ResendQueue: ~Copyable {
  private static var capacity: Int { @_noLocks get { 128 } }

  /// What has become of requests so far.
  public private(set) var counters = ResendCounters()
  private var pacer: Pacer
  private let numbers: UnsafeMutablePointer<UInt16>
  private var first = 0
  private var count = 0

  /// An empty queue whose packets leave at a rate, with what one datagram may be too much.
  public init(bitsPerSecond: Int) {
    pacer = Pacer(bitsPerSecond: bitsPerSecond)
    numbers = .allocate(capacity: ResendQueue.capacity)
    numbers.initialize(repeating: 0, count: ResendQueue.capacity)
  }

  deinit { numbers.deallocate() }

  /// Notes what is asked for. Real-time: wait-free, a look at 128 numbers for each.
  @_noLocks
  public mutating func ask(_ pair: NackPair) {
    for distance in 0...16 {
      guard let number = pair.sequenceNumber(distance) else { continue }
      counters.asked = counters.asked &+ 1
      guard count < ResendQueue.capacity, !contains(number) else {
        counters.skipped = counters.skipped &+ 1
        continue
      }
      numbers[(first &+ count) & (ResendQueue.capacity &- 1)] = number
      count = count &+ 1
    }
  }

  /// The next packet to be sent again now; it counts as sent. Valid until another is put into `sent`.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func next(from sent: borrowing SentPackets, nowNanoseconds: Int) -> UnsafeRawBufferPointer? {
    while count > 0, pacer.nextNanoseconds <= nowNanoseconds {
      let number = numbers[first]
      first = (first &+ 1) & (ResendQueue.capacity &- 1)
      count = count &- 1
      guard let packet = sent.packet(number, nowNanoseconds: nowNanoseconds) else {
        counters.gone = counters.gone &+ 1
        continue
      }
      pacer.depart(byteCount: packet.count, nowNanoseconds: nowNanoseconds)
      counters.resent = counters.resent &+ 1
      return packet
    }
    return nil
  }

  /// When `next` may have something; nil = nothing has been asked for.
  public var nextDeadlineNanoseconds: Int? { @_noLocks get { count > 0 ? pacer.nextNanoseconds : nil } }

  @_noLocks
  private func contains(_ number: UInt16) -> Bool {
    for offset in 0..<count where numbers[(first &+ offset) & (ResendQueue.capacity &- 1)] == number { return true }
    return false
  }
}
