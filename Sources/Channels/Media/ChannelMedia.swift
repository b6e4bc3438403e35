import Engine
import MediaStreams
import OpusCodec
import Platform
import RTP
import Signalling

/// The sound of one channel in a pipeline: a remote user for each received stream, and the sent stream.
///
///     decrypted packet ─▶ SSRC ─▶ user of the pipeline
///     local source ─▶ PacketSender ─▶ packet for the transport
///
/// Thread: the engine's.
final class ChannelMedia {
  /// Packets without a known SSRC.
  private(set) var unknownSourceCount = 0
  let pipeline: AudioPipeline
  private let channelID: String
  let options: RtcEngineOptions
  private var users: [UInt32: ReceivedUser] = [:]
  /// Users by uid in ascending order, so that two runs have one order of reports.
  private var ordered: [ReceivedUser] = []
  private var usersBySSRC: [UInt32: ReceivedUser] = [:]
  var sent: SentStream?
  var isSending = false
  /// Parts of the local sound that are published.
  var parts = SentParts.all
  /// Packets sent when sending began; nil once the first packet was noticed.
  var firstPacket: Int?
  /// Newest start of the sender that was noticed.
  var startCount = 0
  /// Whether the program pushes the voice, and has not begun to.
  var awaitsPush = false
  /// Shortest mean wait of received samples, in nanoseconds.
  var minimumDelayNanoseconds = 0 {
    didSet { for user in ordered { user.source.setMinimumDelay(nanoseconds: minimumDelayNanoseconds) } }
  }
  /// Time up to which all packets of an offline pipeline have come, in nanoseconds; nil for a live one.
  private var completeUntil: Int?
  var random: any RandomNumberGenerator
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)

  init(
    _ pipeline: AudioPipeline, channelID: String, _ options: RtcEngineOptions,
    random: any RandomNumberGenerator
  ) {
    self.pipeline = pipeline
    self.channelID = channelID
    self.options = options
    self.random = random
  }

  deinit { memory.deallocate() }

  /// State of the local stream in a channel that is joined.
  var publishState: PublishState {
    guard isSending, let sent else { return .notPublished }
    return sent.packetCount > 0 && firstPacket == nil ? .published : .publishing
  }

  /// State of a user's stream in a channel that is joined.
  func subscribeState(of uid: UInt32, isMuted: Bool) -> SubscribeState {
    guard !isMuted, let user = users[uid], user.ssrc != nil else { return .notSubscribed }
    return user.hasReceived ? .subscribed : .subscribing
  }

  // MARK: Receiving

  /// Makes a user with packets a remote user of the pipeline, or gives it another SSRC; nil: none come for now.
  func setSource(_ ssrc: UInt32?, of uid: UInt32, isMuted: Bool, reportSSRC: UInt32) throws(EngineError) {
    guard let ssrc else {
      guard let user = users[uid], let former = user.ssrc else { return }
      usersBySSRC[former] = nil
      return user.pause()
    }
    let session = makeSession(reportSSRC, requests: options.environment.requestsPackets ? NackPolicy() : nil)
    if let user = users[uid] {
      if let former = user.ssrc { usersBySSRC[former] = nil }
      user.change(to: ssrc, session: session)
      usersBySSRC[ssrc] = user
      return
    }
    let source = try makeSource(of: uid, channelCount: options.receivedChannelCount ?? 1)
    try pipeline.addRemoteUser(uid, from: source, options: UserOptions(channelID: channelID))
    let user = ReceivedUser(
      uid: uid, ssrc: ssrc, source: source,
      mayWiden: options.receivedChannelCount == nil && options.environment.receiverCodec == .opus, session: session)
    users[uid] = user
    usersBySSRC[ssrc] = user
    ordered.insert(user, at: ordered.firstIndex { $0.uid > uid } ?? ordered.endIndex)
    if isMuted { setMuted(uid, true) }
  }

  /// Removes a user from the pipeline.
  func remove(_ uid: UInt32) {
    guard let user = users.removeValue(forKey: uid) else { return }
    ordered.removeAll { $0 === user }
    if let former = user.ssrc { usersBySSRC[former] = nil }
    // The program may have removed the user.
    try? pipeline.users[uid, channel: channelID].remove()
  }

  /// Stops or resumes hearing a user. Without a change a mute of the pipeline stays.
  func setMuted(_ uid: UInt32, _ isMuted: Bool) {
    guard let user = users[uid], user.isMuted != isMuted else { return }
    user.isMuted = isMuted
    try? pipeline.users[uid, channel: channelID].setMuted(isMuted)
  }

  /// Notes that a user has muted its own audio, or does not publish.
  func note(_ uid: UInt32, hasMutedItself isMuted: Bool) {
    guard users[uid] != nil else { return }
    try? pipeline.setRemoteUserMuted(uid, isMuted, channelID: channelID)
  }

  /// Notes that a user sends music with its audio.
  func note(_ uid: UInt32, playsMusic: Bool) {
    guard users[uid] != nil else { return }
    try? pipeline.setRemoteMusic(uid, isPlaying: playsMusic, channelID: channelID)
  }

  /// Takes a packet.
  ///
  /// - Returns: Whether it is a user's first one.
  func receive(_ packet: UnsafeRawBufferPointer, now: Int) -> Bool {
    guard let header = try? RTPHeader(parsing: packet), let user = usersBySSRC[header.ssrc] else {
      unknownSourceCount += 1
      return false
    }
    let isFirst = !user.hasReceived
    if user.mayWiden, Self.isStereo(packet) { widen(user) }
    user.receive(packet, arrival: now)
    return isFirst
  }

  /// Hears a user with two channels from now on: its packets have them.
  private func widen(_ user: ReceivedUser) {
    user.mayWiden = false
    do throws(EngineError) {
      let source = try makeSource(of: user.uid, channelCount: 2)
      try pipeline.replaceSource(of: user.uid, with: source, channelID: channelID)
      user.replaceSource(with: source)
    } catch {
      // The user stays in mono.
    }
  }

  /// Whether a packet of Opus has two channels.
  ///
  /// Source: RFC 6716, 3.1, the bit s of the first byte.
  private static func isStereo(_ packet: UnsafeRawBufferPointer) -> Bool {
    guard let view = try? RTPPacketView(parsing: packet), view.payloadByteCount > 0 else { return false }
    return view.header.payloadType == WireConventions.opusPayloadType && packet[view.payloadOffset] & 0x04 != 0
  }

  private func makeSource(of uid: UInt32, channelCount: Int) throws(EngineError) -> RTPSource {
    var received = JitterBufferOptions(
      codec: options.environment.receiverCodec, channelCount: channelCount, sourceID: uid,
      audioLevelIdentifier: WireConventions.audioLevelIdentifier)
    received.isRelayed = true
    let source = try RTPSource(received, of: pipeline, holding: options.hold)
    source.setMinimumDelay(nanoseconds: minimumDelayNanoseconds)
    if let completeUntil { source.complete(untilNanoseconds: completeUntil) }
    return source
  }

  func receiveReports(_ datagram: UnsafeRawBufferPointer, now: Int) {
    sent?.takeReports(datagram, now: now)
    for user in ordered {
      guard let feedback = user.takeReports(datagram, arrival: now) else { continue }
      pipeline.setLinkFeedback(feedback, from: user.uid, channelID: channelID)
    }
  }

  /// The received sound of a user; nil without its packets.
  func received(_ uid: UInt32) -> ReceivedUser? { users[uid] }

  /// Notes that all packets that have come before a time are there, so that an offline pipeline can tick.
  func complete(untilNanoseconds time: Int) {
    completeUntil = time
    for user in users.values { user.source.complete(untilNanoseconds: time) }
  }

  /// Time of the next `pump`; the pipeline makes packets without a sign, so that one is due soon while it does.
  func nextDeadlineNanoseconds(_ now: Int) -> Int {
    var next = sent?.nextReportNanoseconds ?? .max
    for user in ordered { next = min(next, user.nextReportNanoseconds) }
    return isSending ? min(next, now + Self.sendingNanoseconds) : next
  }

  /// Longest time for which a packet of the pipeline waits.
  private static let sendingNanoseconds = 2_500_000

  /// Sends the packets and reports that are due.
  ///
  /// - Parameters:
  ///   - protect: Encrypts the first bytes of the memory in place, and returns their count.
  ///   - send: Sends a datagram.
  /// - Returns: Whether the first packet since the start of sending is among them.
  func pump(
    now: Int, protect: (UnsafeMutableRawBufferPointer, _ byteCount: Int, _ isRTCP: Bool) -> Int?,
    send: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    func protected(_ byteCount: Int, _ isRTCP: Bool) -> UnsafeRawBufferPointer? {
      protect(memory, byteCount, isRTCP).map { UnsafeRawBufferPointer(rebasing: memory[..<$0]) }
    }
    let onPacket = options.environment.onPacket
    if isSending, let sent { noteRestart(of: sent) }
    sent?.pump(
      now: now, random: Double.random(in: 0..<1, using: &random), memory: memory,
      protect: { count, isRTCP in
        if !isRTCP, let onPacket { onPacket(UnsafeRawBufferPointer(rebasing: memory[..<count])) }
        return protected(count, isRTCP)
      },
      send: { bytes, _ in send(bytes) })
    if let feedback = sent?.freshFeedback {
      pipeline.setLinkFeedback(feedback)
      sent?.freshFeedback = nil
    }
    for user in ordered {
      let count = user.writeReport(into: memory, now: now, random: Double.random(in: 0..<1, using: &random))
      if count > 0, let report = protected(count, true) { send(report) }
    }
    guard let first = firstPacket, let sent, sent.packetCount > first else { return false }
    firstPacket = nil
    return true
  }

  /// Removes the channel's sound from the pipeline.
  func end() {
    stopSending()
    sent = nil
    for user in ordered { remove(user.uid) }
  }

  // MARK: Private

  func makeSession(_ ssrc: UInt32, requests: NackPolicy?) -> RTCPSession {
    let clock = options.clock
    var session = RTCPSessionOptions(
      ssrc: ssrc, clockRate: OpusRTP.clockRate, clock: clock,
      unixNanoseconds: options.environment.unixNanoseconds(), using: &random)
    session.nack = requests
    return RTCPSession(
      session, nowNanoseconds: clock.nowNanoseconds, random: Double.random(in: 0..<1, using: &random))
  }
}
