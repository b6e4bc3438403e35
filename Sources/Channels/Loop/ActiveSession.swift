import NetworkIO
import Platform
import Signalling

/// A session at the relay with its WebSocket, and the channels and preloads that it serves.
///
/// Thread: one at a time, under the lock of the loop.
final class ActiveSession {
  let session: RelaySession
  let network: any SignallingNetwork
  /// Channels in the order of their joins.
  private(set) var channels: [ActiveChannel] = []
  /// Preloads in the order of their calls.
  private(set) var preloads: [ActivePreload] = []
  /// Whether the session is held until it is open, and no longer.
  var releasesWhenOpen = false
  private let report: (SessionEvent) -> Void

  init(_ session: RelaySession, _ network: any SignallingNetwork, report: @escaping (SessionEvent) -> Void) {
    self.session = session
    self.network = network
    self.report = report
  }

  /// Whether nothing is left to do.
  var isOver: Bool { channels.isEmpty && preloads.isEmpty && session.isIdle && !network.isClosing }

  /// Whether the program has a channel of this name in the session.
  func serves(_ name: ChannelName) -> Bool {
    channels.contains { $0.membership.channel == name && !$0.isLeft && !$0.membership.isIdle }
  }

  func add(_ channel: ActiveChannel) { channels.append(channel) }

  func remove(_ channel: ActiveChannel, _ now: Int) {
    channel.release(now)
    channels.removeAll { $0 === channel }
  }

  func add(_ preload: ActivePreload) { preloads.append(preload) }

  /// Lends the preload for a channel with these options; nil if none fits, or another channel has it.
  func lendPreload(for options: ChannelMembershipOptions, _ now: Int) -> ActivePreload? {
    let fitting = preloads.first { !$0.preload.isLent && $0.preload.fits(options) }
    fitting?.preload.lend(nowNanoseconds: now)
    return fitting
  }

  /// Sockets of the channels and preloads.
  var sockets: [UDPSocket] {
    channels.flatMap { $0.network?.sockets ?? [] } + preloads.filter { !$0.preload.isLent }.flatMap(\.network.sockets)
  }

  /// Time of the next `pump` without news of the network.
  func deadlineNanoseconds(_ now: Int) -> Int {
    channels.reduce(session.nextDeadlineNanoseconds ?? .max) { min($0, $1.mediaDeadlineNanoseconds(now)) }
  }

  /// Takes what has come, and sends what is due.
  func pump(_ now: Int) {
    session.takeMessages(from: network, nowNanoseconds: now)
    for channel in channels { channel.receive(now) }
    for preload in preloads { preload.receive(now) }
    if let deadline = session.nextDeadlineNanoseconds, deadline <= now { session.poll(nowNanoseconds: now) }
    for channel in channels { channel.sendMedia(now) }
    flush(now)
    for channel in channels { channel.reportStates(now) }
  }

  /// Carries out commands, sends datagrams and reports events, until none waits.
  func flush(_ now: Int) {
    var isActive = true
    while isActive {
      isActive = session.flush(to: network, nowNanoseconds: now)
      for channel in channels {
        isActive = channel.flush() || isActive
        channel.release(now)
      }
      for preload in preloads { isActive = preload.flush() || isActive }
      preloads.removeAll(where: \.preload.isEnded)
      while let event = session.takeEvent() {
        isActive = true
        report(event)
        guard releasesWhenOpen, event.endsOpening else { continue }
        releasesWhenOpen = false
        session.release(nowNanoseconds: now)
      }
    }
  }
}

extension SessionEvent {
  /// Whether the session is open, or will not open by itself.
  fileprivate var endsOpening: Bool {
    switch self {
    case .opened, .closed, .tokenRequested: true
    default: false
    }
  }
}
