import AudioGraph
import BenchmarkTwins
import LockFree
import Synchronization

/// The ring beside the same algorithm in C++: in one thread, between two, with a commit for each element (eager) and
/// for 32 at once.
enum RingSubject {
  private static let capacity = 1_024
  private static let frameCapacity = 8

  static func run(_ bench: Bench) throws {
    try tokens(bench)
    try frames(bench)
  }

  /// Two threads that meet run at one of several speeds, and a few turns do not say which is the usual one.
  private static func turnsOfTwo(_ bench: Bench) -> Int { bench.options.isQuick ? 300 : 60 }

  private static func tokens(_ bench: Bench) throws {
    let lane = TokenLane(capacity: capacity)
    let twin = twin_token_ring_create(capacity)!
    defer { twin_token_ring_destroy(twin) }
    let count = 4_096
    for isEager in [true, false] {
      let kind = isEager ? "token, eager" : "token, batches of 32"
      let sum = count * (count - 1) / 2
      try bench.check(lane.pass(count, batch: 32, isEager: isEager) == sum, "tokens are lost")
      try bench.check(twin_token_ring_pass(twin, count, 32, isEager ? 1 : 0) == sum, "the twin loses tokens")
      bench.compare(
        kind + ", one thread", to: "C++ ring", turns: 1_000, iterations: count, target: 1.1,
        ours: { use(lane.pass($0, batch: 32, isEager: isEager)) },
        twin: { use(twin_token_ring_pass(twin, $0, 32, isEager ? 1 : 0)) })
      let many = 200_000
      let total = many * (many - 1) / 2
      var isRight = true
      bench.compareTimes(
        kind + ", two threads", to: "C++ ring", turns: turnsOfTwo(bench), target: 1.1,
        ours: {
          let (time, sum) = lane.race(many, batch: 32, isEager: isEager)
          isRight = isRight && sum == total
          return time / Double(many)
        },
        twin: {
          var sum: Int64 = 0
          let time = twin_token_ring_race(twin, many, 32, isEager ? 1 : 0, &sum)
          isRight = isRight && Int(sum) == total
          return time / Double(many)
        })
      try bench.check(isRight, "tokens are lost between threads")
    }
  }

  private static func frames(_ bench: Bench) throws {
    let lane = try FrameLane(capacity: frameCapacity)
    let twin = twin_frame_ring_create(frameCapacity)!
    defer { twin_frame_ring_destroy(twin) }
    try bench.check(lane.pass(100) == 4_950, "frames are lost")
    try bench.check(twin_frame_ring_pass(twin, 100) == 4_950, "the twin loses frames")
    bench.compare(
      "frame of 1920 bytes, one thread", to: "C++ ring", turns: 1_000, iterations: 256, target: 1.1,
      ours: { use(lane.pass($0)) }, twin: { use(twin_frame_ring_pass(twin, $0)) })
    let many = 20_000
    let total = many * (many - 1) / 2
    var isRight = true
    bench.compareTimes(
      "frame of 1920 bytes, two threads", to: "C++ ring", turns: turnsOfTwo(bench), target: 1.1,
      ours: {
        let (time, sum) = lane.race(many)
        isRight = isRight && sum == total
        return time / Double(many)
      },
      twin: {
        var sum: Int64 = 0
        let time = twin_frame_ring_race(twin, many, &sum)
        isRight = isRight && Int(sum) == total
        return time / Double(many)
      })
    try bench.check(isRight, "frames are lost between threads")
  }
}

/// A ring of integers with both its halves, held as nodes hold them: at addresses of their own.
private final class TokenLane: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): a race touches `producer` on the calling thread and `consumer` on its own.
  private let producer: UnsafeMutablePointer<RingProducer<Int>>
  private let consumer: UnsafeMutablePointer<RingConsumer<Int>>

  init(capacity: Int) {
    let ring = Ring<Int>(capacity: capacity, initial: 0)
    producer = onLinesOfItsOwn(ring.takeProducer())
    consumer = onLinesOfItsOwn(ring.takeConsumer())
  }

  deinit {
    producer.deinitialize(count: 1)
    consumer.deinitialize(count: 1)
    producer.deallocate()
    consumer.deallocate()
  }

  func pass(_ count: Int, batch: Int, isEager: Bool) -> Int {
    var sum = 0
    var done = 0
    while done < count {
      var pushed = 0
      while pushed < batch { pushed += produce(done + pushed, count: batch - pushed, isEager: isEager) }
      var taken = 0
      while taken < batch { taken += consume(batch - taken, isEager: isEager, &sum) }
      done += batch
    }
    return sum
  }

  func race(_ count: Int, batch: Int, isEager: Bool) -> (nanoseconds: Double, sum: Int) {
    Race.run(
      produce: { [self] in
        var spins = 0
        var pushed = 0
        while pushed < count {
          let got = produce(pushed, count: min(batch, count - pushed), isEager: isEager)
          pushed += got
          if got == 0 { spins = Race.relax(spins) }
        }
      },
      consume: { [self] in
        var spins = 0
        var sum = 0
        var taken = 0
        while taken < count {
          let got = consume(min(batch, count - taken), isEager: isEager, &sum)
          taken += got
          if got == 0 { spins = Race.relax(spins) }
        }
        return sum
      })
  }

  @inline(__always)
  private func produce(_ first: Int, count: Int, isEager: Bool) -> Int {
    if isEager { return producer.pointee.push(first) ? 1 : 0 }
    let room = producer.pointee.reserve(upTo: count)
    for index in 0..<room.first.count { room.first[index] = first &+ index }
    for index in 0..<room.second.count { room.second[index] = first &+ room.first.count &+ index }
    producer.pointee.commit(room.count)
    return room.count
  }

  @inline(__always)
  private func consume(_ count: Int, isEager: Bool, _ sum: inout Int) -> Int {
    if isEager {
      guard let value = consumer.pointee.pop() else { return 0 }
      sum &+= value
      return 1
    }
    let region = consumer.pointee.peek(upTo: count)
    var total = 0
    for value in region.first { total &+= value }
    for value in region.second { total &+= value }
    sum &+= total
    consumer.pointee.release(region.count)
    return region.count
  }
}

/// A ring of mono frames at 48 kHz with both its halves; a frame is copied in and copied out.
private final class FrameLane: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): a race touches `producer` and `source` on the calling thread, the rest on its own.
  private let producer: UnsafeMutablePointer<RingProducer<Frame>>
  private let consumer: UnsafeMutablePointer<RingConsumer<Frame>>
  private let memory: FrameMemory
  private let source: Frame
  private let target: Frame

  init(capacity: Int) throws {
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 1)
    let ring = FrameRing(capacity: capacity, format: format)
    producer = onLinesOfItsOwn(ring.takeProducer())
    consumer = onLinesOfItsOwn(ring.takeConsumer())
    memory = FrameMemory(count: 2, format: format)
    source = memory[0]
    target = memory[1]
  }

  deinit {
    producer.deinitialize(count: 1)
    consumer.deinitialize(count: 1)
    producer.deallocate()
    consumer.deallocate()
  }

  func pass(_ count: Int) -> Int {
    var sum = 0
    for index in 0..<count {
      _ = produce(index)
      _ = consume(&sum)
    }
    return sum
  }

  func race(_ count: Int) -> (nanoseconds: Double, sum: Int) {
    Race.run(
      produce: { [self] in
        var spins = 0
        var pushed = 0
        while pushed < count {
          if produce(pushed) { pushed += 1 } else { spins = Race.relax(spins) }
        }
      },
      consume: { [self] in
        var spins = 0
        var sum = 0
        var taken = 0
        while taken < count {
          if consume(&sum) { taken += 1 } else { spins = Race.relax(spins) }
        }
        return sum
      })
  }

  @inline(__always)
  private func produce(_ index: Int) -> Bool {
    guard let slot = producer.pointee.reserve() else { return false }
    // Bits, in the twin too: Swift's conversions check their range and C++'s do not.
    source.channel(0)[0] = Float(bitPattern: UInt32(truncatingIfNeeded: index))
    slot.pointee.copy(from: source)
    producer.pointee.commit(1)
    return true
  }

  @inline(__always)
  private func consume(_ sum: inout Int) -> Bool {
    guard let slot = consumer.pointee.peek() else { return false }
    target.copy(from: slot.pointee)
    sum &+= Int(target.channel(0)[0].bitPattern)
    consumer.pointee.release(1)
    return true
  }
}

/// Moves a half to memory that no other thread's data shares a cache line with.
private func onLinesOfItsOwn<Half: ~Copyable>(_ half: consuming Half) -> UnsafeMutablePointer<Half> {
  let memory = UnsafeMutableRawPointer.allocate(byteCount: max(128, MemoryLayout<Half>.size), alignment: 128)
    .bindMemory(to: Half.self, capacity: 1)
  memory.initialize(to: half)
  return memory
}

/// Two threads and the time that they take.
private enum Race {
  static func run(
    produce: () -> Void, consume: @escaping @Sendable () -> Int
  ) -> (nanoseconds: Double, sum: Int) {
    let shared = Shared(consume)
    guard let thread = try? BackgroundThread(named: "consumer", { shared.run() }) else {
      fatalError("the system gives no second thread to measure with; raise its limit (ulimit -u)")
    }
    var spins = 0
    while !shared.isReady.load(ordering: .acquiring) { spins = relax(spins) }
    let start = Bench.nanoseconds()
    produce()
    thread.join()
    let (end, sum) = shared.result.withLock { $0 }
    return (end - start, sum)
  }

  /// Rests a little. Returns: the spins so far.
  @inline(__always)
  static func relax(_ spins: Int) -> Int {
    twin_relax(spins)
    return spins &+ 1
  }

  private final class Shared: Sendable {
    let isReady = Atomic<Bool>(false)
    let result = Guarded<(end: Double, sum: Int)>((0, 0))
    private let consume: @Sendable () -> Int

    init(_ consume: @escaping @Sendable () -> Int) { self.consume = consume }

    func run() {
      isReady.store(true, ordering: .releasing)
      let sum = consume()
      let end = Bench.nanoseconds()
      result.withLock { $0 = (end, sum) }
    }
  }
}
