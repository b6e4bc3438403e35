import Cryptography
import Glibc
import NetworkIO
import Platform
import WebRTC

/// The loop of a relay's thread: sockets on one side, `RelayCore` on the other.
///
/// A single worker runs in this loop; several have threads of their own.
///
/// Thread: one.
final class RelayLoop {
  let sockets: RelaySockets
  private let core: RelayCore
  private let clock = SystemClock()
  let workers: [WorkerLoop]
  /// Ends the wait when a worker has something to tell.
  private let bell = WakeDescriptor()
  /// Connections that `RelayCore` knows, by number.
  private var connections: [UInt64: ConnectionID] = [:]
  /// Connections with messages that the network may not have taken, by number.
  private var unread: [UInt64: ConnectionID] = [:]

  /// Longest wait, in nanoseconds: a request of another thread is seen within it.
  private static let longestWait = 100_000_000
  /// Time of a turn for messages, in nanoseconds: those that are left wait for the next turn.
  private static let messageNanoseconds = 1_000_000
  /// Time between two looks at the calendar and at what the kernel has dropped, in nanoseconds.
  private static let lookNanoseconds = 1_000_000_000
  private var nextLookNanoseconds: Int
  /// Time between two statistics, in nanoseconds.
  private static let statisticsNanoseconds = 20_000_000
  private var nextStatisticsNanoseconds = 0
  private var heap = HeapTrim()

  init(_ configuration: RelayConfiguration, _ sockets: RelaySockets, logsUsers: Bool) {
    self.sockets = sockets
    let unixMilliseconds = Self.unixMilliseconds
    nextLookNanoseconds = clock.nowNanoseconds + Self.lookNanoseconds
    let batches = sockets.media.map(DatagramBatch.init)
    core = RelayCore(
      configuration, certificate: DTLSCertificate(unixSeconds: Int(unixMilliseconds / 1_000)),
      nowNanoseconds: clock.nowNanoseconds, unixMilliseconds: unixMilliseconds
    ) { datagram, address, local in
      batches[local].append(datagram, to: address)
    }
    core.logsUsers = logsUsers
    let count = sockets.localAddresses.count
    workers = core.forwarders.map { forwarder in
      let range = forwarder.index * count..<(forwarder.index + 1) * count
      return WorkerLoop(forwarder, Array(sockets.media[range]), Array(batches[range]))
    }
    if workers.count > 1 {
      core.onRelease { [workers] in workers[$0.index].wake() }
      for worker in workers { worker.forwarder.onRelayedPacket = { [unowned worker] in worker.wake() } }
    }
  }

  /// Worker that runs in this loop; nil if all have threads of their own.
  private var ownWorker: WorkerLoop? { workers.count == 1 ? workers[0] : nil }

  /// Tells the loop that a worker has events. Thread: any.
  func wake() { bell.wake() }

  /// Runs until a request to stop.
  func run(_ requests: borrowing Guarded<RelayRequests>) {
    var isDraining = false
    while true {
      let deadline = ownWorker == nil ? core.signallingDeadlineNanoseconds : core.nextDeadlineNanoseconds
      let wait = deadline.map { $0 - clock.nowNanoseconds } ?? Self.longestWait
      UDPSocket.wait(
        for: ownWorker == nil ? [] : sockets.media, or: [sockets.server.descriptor, bell.descriptor],
        atMostNanoseconds: max(0, min(wait, Self.longestWait)))
      reportBacklogs()
      ownWorker?.takeDatagrams()
      if ownWorker == nil { bell.takeWakes() }
      if takeEvents(requests) {
        // A client that has an answer finds its effect in the statistics.
        ownWorker?.publish()
        nextStatisticsNanoseconds = 0
      }
      let statistics = newStatistics
      let wanted = requests.withLock { requests in
        if let statistics { requests.statistics = statistics }
        requests.userLog.take(from: &core.userLog)
        defer { (requests.configuration, requests.mediaAddresses) = (nil, nil) }
        return requests
      }
      if wanted.wantsStop {
        ownWorker?.end()
        return
      }
      let now = clock.nowNanoseconds
      followSystem(now)
      if let configuration = wanted.configuration { core.reconfigure(configuration, nowNanoseconds: now) }
      if let addresses = wanted.mediaAddresses { core.offer(addresses) }
      if wanted.wantsDrain, !isDraining {
        isDraining = true
        core.drain(nowNanoseconds: now)
      }
      if let deadline = core.signallingDeadlineNanoseconds, deadline <= now {
        core.pollSignalling(nowNanoseconds: now)
      }
      ownWorker?.poll()
      core.takeMediaEvents(nowNanoseconds: now)
      ownWorker?.flush()
      send()
    }
  }

  /// Statistics for other threads; nil until the next are due.
  private var newStatistics: RelayStatistics? {
    let now = clock.nowNanoseconds
    guard now >= nextStatisticsNanoseconds else { return nil }
    nextStatisticsNanoseconds = now + Self.statisticsNanoseconds
    return statistics
  }

  /// Sizes and counts, with those of the workers' last looks.
  var statistics: RelayStatistics {
    var statistics = RelayStatistics()
    statistics.connections = core.connectionCount
    statistics.sessions = core.sessionCount
    statistics.channels = core.channelCount
    statistics.banned = core.banCount(clock.nowNanoseconds)
    statistics.bans = core.listBans(clock.nowNanoseconds)
    statistics.counters = core.ownCounters
    for worker in workers {
      let own = worker.statistics
      statistics.transports += own.transports
      statistics.counters.add(media: own.counters)
      statistics.workers.append(
        RelayWorkerStatistics(
          transports: own.transports, packets: own.counters.packets, forwarded: own.counters.forwarded,
          processorNanoseconds: own.processorNanoseconds))
    }
    return statistics
  }

  /// Takes messages for the time of a turn. Media comes first: datagrams, and a stop, are looked at between any two.
  ///
  /// - Returns: Whether there was one.
  private func takeEvents(_ requests: borrowing Guarded<RelayRequests>) -> Bool {
    let end = clock.nowNanoseconds + Self.messageNanoseconds
    var hasTaken = false
    while let event = sockets.server.takeEvent() {
      take(event, clock.nowNanoseconds)
      ownWorker?.takeDatagrams()
      hasTaken = true
      if clock.nowNanoseconds >= end || requests.withLock({ $0.wantsStop }) { break }
    }
    return hasTaken
  }

  private func take(_ event: WebSocketEvent, _ now: Int) {
    switch event {
    case .opened(let id, let address):
      connections[id.number] = id
      core.opened(id.number, from: address, nowNanoseconds: now)
    case .message(let id, let message): core.received(message, on: id.number, nowNanoseconds: now)
    case .closed(let id, _), .failed(let id, _):
      connections[id.number] = nil
      unread[id.number] = nil
      core.closed(id.number, nowNanoseconds: now)
    }
  }

  /// Reports the bytes that wait for slow readers, so that the core's limit is that of the real queue.
  private func reportBacklogs() {
    for (number, id) in unread {
      let byteCount = sockets.server.queuedByteCount(of: id)
      core.setBacklog(byteCount, of: number)
      if byteCount == 0 { unread[number] = nil }
    }
  }

  private static var unixMilliseconds: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
  }

  /// Follows a calendar that was set after the start, by NTP or after a pause of a guest, and the sockets' losses.
  private func followSystem(_ now: Int) {
    guard now >= nextLookNanoseconds else { return }
    nextLookNanoseconds = now + Self.lookNanoseconds
    let all = workers.map(\.statistics)
    heap.note(transports: all.reduce(0) { $0 + $1.transports })
    for (index, worker) in all.enumerated() { core.noteDropped(worker.dropped, worker: index, nowNanoseconds: now) }
    core.noteLoads(nowNanoseconds: now)
    core.noteUnsent(full: all.reduce(0) { $0 + $1.full }, refused: all.reduce(0) { $0 + $1.refused })
    core.follow(unixMilliseconds: Self.unixMilliseconds, nowNanoseconds: now)
  }

  private func send() {
    while let message = core.takeMessage() {
      guard let id = connections[message.connection] else { continue }
      unread[message.connection] = id
      sockets.server.send(Array(message.text.utf8), to: id)
    }
    while let end = core.takeDisconnect() {
      if let id = connections[end.connection] { sockets.server.close(id, code: end.code, reason: end.reason) }
    }
  }
}
