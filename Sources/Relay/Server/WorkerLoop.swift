import Glibc
import NetworkIO
import Platform
import Synchronization

/// Sockets of a forwarder on one side, the forwarder on the other.
///
///     UDP ─▶ burst of datagrams ─▶ Forwarder ─▶ batch ─▶ UDP
///
/// Thread: one; with several workers, its own.
final class WorkerLoop: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): one thread runs the loop. Members for any thread say so, and have a lock.
  let forwarder: Forwarder
  private let sockets: [UDPSocket]
  /// Number of the first socket in the relay.
  private let firstSocket: Int
  /// Datagrams of a turn, for each socket; the thread that holds the forwarder uses them.
  private let batches: [DatagramBatch]
  private let receiver = DatagramReceiver()
  private let clock = SystemClock()
  private let bell = WakeDescriptor()
  private let isStopping = Atomic(false)
  private let published = Guarded(WorkerStatistics())
  private var nextLookNanoseconds = 0

  /// Longest wait, in nanoseconds.
  private static let longestWait = 100_000_000
  /// Bursts of a socket's datagrams that are taken in a row, so that a flood does not keep the thread there.
  private static let longestBurst = 16
  /// Time between two publications of the statistics, in nanoseconds.
  private static let lookNanoseconds = 50_000_000

  init(_ forwarder: Forwarder, _ sockets: [UDPSocket], _ batches: [DatagramBatch]) {
    self.forwarder = forwarder
    self.sockets = sockets
    self.batches = batches
    firstSocket = forwarder.index * sockets.count
    for socket in sockets { socket.noteArrivals() }
  }

  /// Counts at the end of a turn, at most 100 ms ago. Thread: any.
  var statistics: WorkerStatistics { published.withLock { $0 } }

  /// Ends `run`. Thread: any.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    bell.wake()
  }

  /// Makes `run` look at the deadlines. Thread: any.
  func wake() { bell.wake() }

  /// Runs until `stop`.
  ///
  /// - Parameter onEvent: called when the forwarder has events.
  func run(onEvent: () -> Void) {
    while !isStopping.load(ordering: .relaxed) {
      UDPSocket.wait(for: sockets, or: [bell.descriptor], atMostNanoseconds: wait)
      bell.takeWakes()
      takeDatagrams()
      poll()
      if forwarder.hasEvents { onEvent() }
    }
    end()
  }

  /// Sends the last datagrams, and publishes the last counts.
  func end() {
    flush()
    publish()
  }

  /// Time until the next deadline, at most 100 ms.
  private var wait: Int {
    let deadline = forwarder.lock.hold { forwarder.nextDeadlineNanoseconds }
    return deadline.map { max(0, min($0 - clock.nowNanoseconds, Self.longestWait)) } ?? Self.longestWait
  }

  /// Takes the datagrams that wait, and sends those that they lead to.
  func takeDatagrams() {
    for (index, socket) in sockets.enumerated() {
      for _ in 0..<Self.longestBurst {
        let count = forwarder.lock.hold { takeBurst(of: socket, firstSocket + index) }
        if count < DatagramReceiver.capacity { break }
      }
    }
  }

  private func takeBurst(of socket: UDPSocket, _ local: Int) -> Int {
    let now = clock.nowNanoseconds
    let forwarded = forwarder.counters.forwarded
    let count = receiver.receive(from: socket) { datagram, address in
      forwarder.lock.pass()
      forwarder.received(datagram: datagram, from: address, local: local, nowNanoseconds: now)
    }
    if count > 0 { sendBatches() }
    let new = forwarder.counters.forwarded - forwarded
    if new > 0 { forwarder.counters.forwardingDelays.add(nanoseconds: receiver.ageNanoseconds, count: new) }
    return count
  }

  /// Does the work that is due, and sends its datagrams and those of the signalling.
  func poll() {
    let now = clock.nowNanoseconds
    forwarder.lock.hold {
      forwarder.takeRelayedPackets(nowNanoseconds: now)
      if let deadline = forwarder.nextDeadlineNanoseconds, deadline <= now { forwarder.poll(nowNanoseconds: now) }
      sendBatches()
    }
    if now >= nextLookNanoseconds {
      nextLookNanoseconds = now + Self.lookNanoseconds
      publish()
    }
  }

  /// Publishes the statistics.
  func publish() {
    var statistics = WorkerStatistics()
    forwarder.lock.hold {
      forwarder.counters.oversizedDatagrams = receiver.oversizedCount
      statistics.counters = forwarder.counters
      statistics.transports = forwarder.transportCount
      for batch in batches {
        statistics.full += batch.counters.full
        statistics.refused += batch.counters.refused
      }
    }
    statistics.dropped = sockets.reduce(0) { $0 + $1.droppedCount }
    statistics.processorNanoseconds = Self.processorNanoseconds
    published.withLock { $0 = statistics }
  }

  private static var processorNanoseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Sends the datagrams that have been made since the last time.
  func flush() { forwarder.lock.hold { sendBatches() } }

  private func sendBatches() { for batch in batches { batch.flush() } }
}
