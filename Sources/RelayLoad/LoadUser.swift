import Platform
import RTP
package import RelayClient
import Signalling
import WebRTC

/// Networks of one user of a load.
package typealias LoadNetworks = (signalling: any SignallingNetwork, media: any MediaNetwork)

/// One user of a load: a session with one membership. A publisher sends packets, and a listener measures them.
///
/// Thread: that of its `LoadUsers`.
final class LoadUser {
  let uid: UInt32
  let isPublisher: Bool
  let channelIndex: Int
  let session: RelaySession
  let networks: LoadNetworks
  private(set) var outcome = LoadOutcome.waiting
  /// Time of the next packet; nil for none.
  var nextPacketNanoseconds: Int?
  private(set) var startNanoseconds = 0
  private let membership: ChannelMembership
  private let clock: any EngineClock
  private let figures: LoadFigures
  private var streams: [UInt32: LoadStream] = [:]
  /// Whether the relay forwards a limited number of speakers to the user.
  private var isLimited = false
  private var source: LoadSource
  private var reports: LoadReports
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: LoadUser.memoryByteCount, alignment: 16)

  private static let memoryByteCount = 2_048
  /// Datagrams that are taken at once, so that one user does not keep the thread.
  static let longestBurst = 64

  init(
    uid: UInt32, isPublisher: Bool, channelIndex: Int, _ session: RelaySession, _ membership: ChannelMembership,
    _ networks: LoadNetworks, clock: any EngineClock, figures: LoadFigures, source: LoadSource, reports: LoadReports
  ) {
    self.uid = uid
    self.isPublisher = isPublisher
    self.channelIndex = channelIndex
    self.session = session
    self.membership = membership
    self.networks = networks
    self.clock = clock
    self.figures = figures
    self.source = source
    self.reports = reports
  }

  deinit { memory.deallocate() }

  /// Whether the user takes part.
  var isActive: Bool { outcome == .joining || outcome == .joined }

  func start(_ now: Int) {
    outcome = .joining
    startNanoseconds = now
    membership.start(nowNanoseconds: now)
    flush(now)
  }

  /// Gives up, without a further attempt.
  func fail(_ error: ChannelError, _ now: Int) {
    outcome = .failed(error)
    membership.leave(nowNanoseconds: now)
    flush(now)
  }

  func leave(_ now: Int) {
    nextPacketNanoseconds = nil
    membership.leave(nowNanoseconds: now)
    flush(now)
  }

  /// Takes what has come, and does what is due, except packets.
  ///
  /// - Parameter datagramCount: Most datagrams to take.
  func pump(_ now: Int, datagramCount: Int = LoadUser.longestBurst) {
    session.takeMessages(from: networks.signalling, nowNanoseconds: now)
    for _ in 0..<datagramCount where !networks.media.receive({ _ = take($0, from: $1) }) { break }
    if let deadline = session.nextDeadlineNanoseconds, deadline <= now { session.poll(nowNanoseconds: now) }
    if outcome == .joined, now >= reports.nextNanoseconds { sendReports(now) }
    flush(now)
  }

  /// Takes a datagram.
  ///
  /// - Returns: Whether `pump` is needed; after a packet of sound it is not, as every deadline is as late or later.
  func takeDatagram() -> Bool {
    var media = ReceivedMedia.nothing
    guard networks.media.receive({ media = take($0, from: $1) }) else { return false }
    if case .rtp = media { return false }
    return true
  }

  /// Time of the next `pump` without news of the network; nil if none is needed.
  var nextDeadlineNanoseconds: Int? {
    var time = min(session.nextDeadlineNanoseconds ?? .max, nextPacketNanoseconds ?? .max)
    if outcome == .joined, membership.canSend { time = min(time, reports.nextNanoseconds) }
    return time == .max ? nil : time
  }

  /// Sends a packet.
  ///
  /// - Returns: Time of sending, in nanoseconds; nil if it could not be sent.
  func sendPacket(isCounted: Bool, speaking: Int?) -> Int? {
    guard membership.canSend, let ssrc = membership.ownSSRC, let address = membership.remoteAddress else {
      source.skip()
      return nil
    }
    let now = clock.nowNanoseconds
    guard let count = source.write(into: memory, ssrc: ssrc, uid: uid, isCounted: isCounted, speaking: speaking, now),
      let size = membership.protect(memory, byteCount: count, isRTCP: false, nowNanoseconds: now)
    else { return nil }
    networks.media.send(UnsafeRawBufferPointer(rebasing: memory[..<size]), to: address)
    return now
  }

  // MARK: Private

  private func take(_ datagram: UnsafeRawBufferPointer, from address: SocketAddress) -> ReceivedMedia {
    guard datagram.count <= Self.memoryByteCount else { return .nothing }
    let now = clock.nowNanoseconds
    let arrival = now - networks.media.waitedNanoseconds
    memory.copyMemory(from: datagram)
    let bytes = UnsafeMutableRawBufferPointer(rebasing: memory[..<datagram.count])
    let media = membership.receive(bytes, from: address.unmapped, nowNanoseconds: now)
    switch media {
    case .nothing: break
    case .rtp(let count):
      take(packet: UnsafeRawBufferPointer(rebasing: bytes[..<count]), byteCount: datagram.count, arrival)
    case .rtcp(let count): take(reports: UnsafeRawBufferPointer(rebasing: bytes[..<count]), arrival)
    }
    return media
  }

  private func take(packet: UnsafeRawBufferPointer, byteCount: Int, _ arrival: Int) {
    guard let view = try? RTPPacketView(parsing: packet),
      let payload = LoadPayload(UnsafeRawBufferPointer(rebasing: packet[view.payloadRange]))
    else { return }
    let place = note(view.header, payload, arrival)
    guard payload.isCounted else { return }
    guard place != .duplicate else {
      figures.counts.duplicated += 1
      return
    }
    figures.counts.received += 1
    if payload.isBeginning { figures.counts.receivedBeginnings += 1 }
    figures.counts.receivedByteCount += byteCount
    if place == .outOfOrder { figures.counts.outOfOrder += 1 }
    figures.addDelay(arrival - payload.sentNanoseconds)
  }

  private func note(_ header: RTPHeader, _ payload: LoadPayload, _ arrival: Int) -> LoadStream.Place {
    func note(_ stream: inout LoadStream) -> LoadStream.Place {
      let place = stream.place(payload.number)
      if place != .duplicate { stream.note(header, arrivalNanoseconds: arrival) }
      return place
    }
    return note(&streams[payload.uid, default: LoadStream(ssrc: header.ssrc)])
  }

  private func take(reports datagram: UnsafeRawBufferPointer, _ arrival: Int) {
    guard var reader = try? RTCPReader(datagram) else { return }
    while let packet = reader.next() {
      guard packet.type == .senderReport, let report = try? packet.senderReport() else { continue }
      for uid in streams.keys { streams[uid]?.note(report, arrivalNanoseconds: arrival) }
    }
  }

  private func sendReports(_ now: Int) {
    guard membership.canSend, let address = membership.remoteAddress else { return reports.skip(now) }
    let sender = membership.ownSSRC.flatMap { source.makeReport(ssrc: $0, now) }
    // Encryption needs room behind the reports.
    let room = UnsafeMutableRawBufferPointer(rebasing: memory[..<1_200])
    let count = reports.write(
      into: room, ssrc: membership.ownSSRC ?? membership.reportSSRC, sender, &streams, nowNanoseconds: now)
    guard let size = membership.protect(memory, byteCount: count, isRTCP: true, nowNanoseconds: now) else { return }
    networks.media.send(UnsafeRawBufferPointer(rebasing: memory[..<size]), to: address)
  }

  /// Carries out the commands, sends the datagrams, and takes the events.
  private func flush(_ now: Int) {
    // Events may lead to requests.
    var isActive = true
    while isActive {
      let hasCommands = session.flush(to: networks.signalling, nowNanoseconds: now)
      isActive = membership.flush(to: networks.media) { note($0, now) } || hasCommands
    }
  }

  private func note(_ event: ChannelEvent, _ now: Int) {
    switch event {
    case .joined:
      guard outcome == .joining else { return }
      outcome = .joined
      reports.begin(now)
      figures.joinTimes.append(now - startNanoseconds)
    case .rejoined: figures.counts.rejoins += 1
    case .speakersChanged(.some) where !isLimited:
      isLimited = true
      figures.counts.limitedListeners += 1
    case .failed(let error): if isActive { outcome = .failed(error) }
    default: break
    }
  }
}
