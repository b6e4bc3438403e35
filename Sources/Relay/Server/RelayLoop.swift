import Cryptography
import Glibc
import NetworkIO
import Platform
import WebRTC

/// The loop of a relay's thread: sockets on one side, `RelayCore` on the other.
///
/// Thread: one.
final class RelayLoop {
  let sockets: RelaySockets
  private let core: RelayCore
  private let clock = SystemClock()
  private let receiver = DatagramReceiver()
  /// Datagrams of a turn, for each socket.
  private let batches: [DatagramBatch]
  /// Connections that `RelayCore` knows, by number.
  private var connections: [UInt64: ConnectionID] = [:]
  /// Connections with messages that the network may not have taken, by number.
  private var unread: [UInt64: ConnectionID] = [:]

  /// Longest wait, in nanoseconds: a request of another thread is seen within it.
  private static let longestWait = 100_000_000
  /// Bursts of a socket's datagrams that are taken in a row, so that a flood does not keep the thread there.
  private static let longestBurst = 16
  /// Time of a turn for messages, in nanoseconds: those that are left wait for the next turn.
  private static let messageNanoseconds = 1_000_000
  /// Time between two looks at the calendar and at what the kernel has dropped, in nanoseconds.
  private static let lookNanoseconds = 1_000_000_000
  private var nextLookNanoseconds: Int

  init(_ configuration: RelayConfiguration, _ sockets: RelaySockets, logsUsers: Bool) {
    self.sockets = sockets
    let unixMilliseconds = Self.unixMilliseconds
    nextLookNanoseconds = clock.nowNanoseconds + Self.lookNanoseconds
    let batches = sockets.media.map(DatagramBatch.init)
    self.batches = batches
    core = RelayCore(
      configuration, certificate: DTLSCertificate(unixSeconds: Int(unixMilliseconds / 1_000)),
      nowNanoseconds: clock.nowNanoseconds, unixMilliseconds: unixMilliseconds
    ) { datagram, address, local in
      batches[local].append(datagram, to: address)
    }
    core.logsUsers = logsUsers
  }

  /// Runs until a request to stop.
  func run(_ requests: borrowing Guarded<RelayRequests>) {
    var isDraining = false
    while true {
      let wait = core.nextDeadlineNanoseconds.map { $0 - clock.nowNanoseconds } ?? Self.longestWait
      UDPSocket.wait(
        for: sockets.media, or: [sockets.server.descriptor], atMostNanoseconds: max(0, min(wait, Self.longestWait)))
      reportBacklogs()
      takeDatagrams()
      takeEvents(requests)
      let wanted = requests.withLock { requests in
        requests.statistics = statistics
        requests.userLog.take(from: &core.userLog)
        defer { (requests.configuration, requests.mediaAddresses) = (nil, nil) }
        return requests
      }
      if wanted.wantsStop { return }
      let now = clock.nowNanoseconds
      followSystem(now)
      if let configuration = wanted.configuration { core.reconfigure(configuration, nowNanoseconds: now) }
      if let addresses = wanted.mediaAddresses { core.offer(addresses) }
      if wanted.wantsDrain, !isDraining {
        isDraining = true
        core.drain(nowNanoseconds: now)
      }
      if let deadline = core.nextDeadlineNanoseconds, deadline <= now { core.poll(nowNanoseconds: now) }
      send()
    }
  }

  private var statistics: RelayStatistics {
    var statistics = RelayStatistics()
    statistics.connections = core.connectionCount
    statistics.sessions = core.sessionCount
    statistics.channels = core.channelCount
    statistics.transports = core.transportCount
    statistics.counters = core.counters
    return statistics
  }

  private func takeDatagrams() {
    for (index, socket) in sockets.media.enumerated() {
      for _ in 0..<Self.longestBurst {
        let now = clock.nowNanoseconds
        let count = receiver.receive(from: socket) { datagram, address in
          core.received(datagram: datagram, from: address, local: index, nowNanoseconds: now)
        }
        flush()
        if count < DatagramReceiver.capacity { break }
      }
    }
  }

  /// Takes messages for the time of a turn. Media comes first: datagrams, and a stop, are looked at between any two.
  private func takeEvents(_ requests: borrowing Guarded<RelayRequests>) {
    let end = clock.nowNanoseconds + Self.messageNanoseconds
    while let event = sockets.server.takeEvent() {
      take(event, clock.nowNanoseconds)
      takeDatagrams()
      if clock.nowNanoseconds >= end || requests.withLock({ $0.wantsStop }) { return }
    }
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
    core.noteDropped(sockets.media.reduce(0) { $0 + $1.droppedCount }, nowNanoseconds: now)
    let counters = batches.map(\.counters)
    core.noteUnsent(
      full: counters.reduce(0) { $0 + $1.full }, refused: counters.reduce(0) { $0 + $1.refused })
    core.follow(unixMilliseconds: Self.unixMilliseconds, nowNanoseconds: now)
  }

  /// Sends the datagrams that have been made since the last time.
  private func flush() { for batch in batches { batch.flush() } }

  private func send() {
    flush()
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
