import AudioGraph
import Engine
import MediaStreams
import NetworkIO
import OpusCodec
import RTP

/// The state of an `RTPEndpoint`: its sockets, its sources by SSRC, and the stream that it sends.
///
/// Thread: one at a time.
final class EndpointPump {
  private let pipeline: AudioPipeline
  private let options: RTPEndpointOptions
  private let clock: any EngineClock
  private let report: (RTPEndpointEvent) -> Void
  private let socket: UDPSocket
  private let reportSocket: UDPSocket?
  private let sockets: [UDPSocket]
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: UDPSocket.maximumByteCount, alignment: 16)
  /// SSRC of the sent stream and of all reports.
  private var ssrc: UInt32
  private let name: String
  private var sources: [UInt32: EndpointSource] = [:]
  private var probation = SourceProbation()
  /// Number above those of all users so far.
  private var nextUser: UInt32 = 0
  /// Sources that were reported as refused.
  private var refused: Set<UInt32> = []
  private var sender: SentStream?
  private var random: any RandomNumberGenerator
  /// Source with the address that packets go to; nil before the first.
  private var leader: UInt32?
  /// Address that packets go to; nil while it is not known.
  private var remoteAddress: SocketAddress?
  private var remoteReportAddress: SocketAddress?

  private static let longestBurst = 1_000
  private static let mostRefused = 256
  /// Silence after which another source at the same address takes the place of a source, in nanoseconds.
  private static let longestPause = 200_000_000

  init(
    _ pipeline: AudioPipeline, at address: SocketAddress, _ options: RTPEndpointOptions, clock: any EngineClock,
    random: any RandomNumberGenerator, report: @escaping (RTPEndpointEvent) -> Void
  ) throws {
    var random = random
    self.pipeline = pipeline
    self.options = options
    self.clock = clock
    self.report = report
    socket = try UDPSocket(at: address)
    let port = socket.localAddress.port
    if options.usesRTCPMux {
      reportSocket = nil
    } else {
      reportSocket = port < .max ? try? UDPSocket(at: address.withPort(port + 1)) : nil
    }
    sockets = [socket] + (reportSocket.map { [$0] } ?? [])
    ssrc = random.next()
    if case .stream(let wanted) = options.sending { ssrc = wanted.ssrc }
    name = RTCPSessionOptions(ssrc: ssrc, clockRate: RTPPayloadFormat.opus.clockRate, clock: clock, using: &random).name
    self.random = random
    remoteAddress = options.remoteAddress
    if let remoteAddress { remoteReportAddress = Self.reportAddress(remoteAddress, options) }
    if case .stream(let wanted) = options.sending { try startSending(wanted) }
  }

  deinit { memory.deallocate() }

  var localAddress: SocketAddress { socket.localAddress }

  /// Whether RTCP has a port: its own, or that of the packets.
  var hasReportPort: Bool { options.usesRTCPMux || reportSocket != nil }

  /// Waits for datagrams, at most `limit` nanoseconds, takes those that have come, and sends the packets and reports
  /// that are due.
  func pump(atMostNanoseconds limit: Int) {
    UDPSocket.wait(for: sockets, atMostNanoseconds: limit)
    for socket in sockets {
      // Bounded, so that a flood does not keep the thread here.
      for _ in 0..<Self.longestBurst where socket.receive({ take($0, from: $1) }) == nil { break }
    }
    let now = clock.nowNanoseconds
    send(now)
    for source in sources.values {
      for press in source.keys?.take(nowNanoseconds: now) ?? [] { report(.keyPress(user: source.user, press)) }
      if let reason = source.end(now: now, timeout: Int(options.sourceTimeout / .nanoseconds(1))) {
        end(source, reason)
      }
    }
  }

  /// Sends the packets that wait and a BYE, and removes the users of all sources.
  func finish() {
    let now = clock.nowNanoseconds
    send(now)
    if let sender {
      sendReport(byteCount: sender.writeBye(into: memory, now: now))
      try? pipeline.stopSending(through: sender.sender)
    } else {
      for source in sources.values {
        sendReport(byteCount: source.session.writeBye(into: memory, nowNanoseconds: now))
        break
      }
    }
    for source in sources.values { end(source, .stopped) }
  }

  // MARK: Receiving

  private func take(_ datagram: UnsafeRawBufferPointer, from address: SocketAddress) {
    let now = clock.nowNanoseconds
    let kind = DatagramKind(datagram)
    guard kind == .rtp || kind == .rtcp,
      let bytes = try? options.protection.unprotect(datagram, in: memory, isRTCP: kind == .rtcp)
    else { return }
    if kind == .rtcp { takeReports(bytes, from: address, now: now) } else { takePacket(bytes, from: address, now: now) }
  }

  private func takePacket(_ packet: UnsafeRawBufferPointer, from address: SocketAddress, now: Int) {
    guard let header = try? RTPHeader(parsing: packet) else { return }
    if let source = sources[header.ssrc] {
      source.address = address
      follow(source, header, packet, now: now)
      sources[header.ssrc]?.take(packet, arrival: now)
    } else {
      guard options.format(of: header.payloadType) != nil,
        let earlier = probation.take(packet, header, arrival: now),
        let source = begin(header, earlier.packet, packet, from: address, now: now)
      else { return }
      earlier.packet.withUnsafeBytes { source.take($0, arrival: earlier.arrival) }
      source.take(packet, arrival: now)
    }
    follow(header.ssrc, at: address)
  }

  /// Makes the source of two packets a user of the pipeline.
  private func begin(
    _ header: RTPHeader, _ earlier: [UInt8], _ packet: UnsafeRawBufferPointer, from address: SocketAddress, now: Int,
    as former: UInt32? = nil
  ) -> EndpointSource? {
    let type = header.payloadType
    guard let format = options.format(of: type) else { return nil }
    guard !options.assumesOpus(type) || earlier.withUnsafeBytes({ OpusPlausibility.accepts($0, packet) }) else {
      return refuse(header.ssrc, "its packets of payload type \(type) are not Opus; name the format of that type")
    }
    guard sources.count < options.maximumSourceCount else {
      return refuse(header.ssrc, "there are \(sources.count) sources already")
    }
    // A party that restarts takes another SSRC, and its old source says no BYE.
    for source in sources.values where source.address == address && now - source.newestArrival > Self.longestPause {
      end(source, .timeout)
    }
    changeSSRC(ifItIs: header.ssrc)
    let taken = Set(sources.values.map(\.user)).union(pipeline.userIDs)
    let first = options.reusesUsers ? options.firstUser : max(options.firstUser, nextUser)
    guard let user = former ?? (first...UInt32.max).first(where: { !taken.contains($0) }) else {
      return refuse(header.ssrc, "no number is left for a user")
    }
    do {
      let source = try pipeline.addRemoteUser(
        user,
        receiving: JitterBufferOptions(
          codec: ReceiverCodec(format), channelCount: options.channelCount, payloadType: header.payloadType))
      let began = EndpointSource(
        user: user, header: header, format: format, source: source,
        session: session(format, requests: options.requests),
        keys: options.telephoneEvents.map { KeyPressReader($0) }, address: address, arrival: now)
      sources[header.ssrc] = began
      nextUser = max(nextUser, user == .max ? user : user + 1)
      if leader == nil { follow(header.ssrc, at: address, isLeader: true) }
      if sender == nil, case .matching = options.sending { try answer(began) }
      report(.sourceBegan(user: user, ssrc: header.ssrc, format: format, from: address))
      return began
    } catch {
      return refuse(header.ssrc, "\(error)")
    }
  }

  /// Reports once that a source cannot be a user; its packets go on to come.
  private func refuse(_ ssrc: UInt32, _ reason: String) -> EndpointSource? {
    if refused.count >= Self.mostRefused { refused = [] }
    if refused.insert(ssrc).inserted { report(.sourceRefused(ssrc: ssrc, reason: reason)) }
    return nil
  }

  private func end(_ source: EndpointSource, _ reason: SourceEnd) {
    for press in source.keys?.takeAll() ?? [] { report(.keyPress(user: source.user, press)) }
    sources[source.ssrc] = nil
    // The program may have removed the user.
    try? pipeline.users[source.user].remove()
    report(.sourceEnded(user: source.user, ssrc: source.ssrc, reason))
    if leader == source.ssrc, reason != .stopped, reason != .formatChanged { leave(source) }
  }

  /// Ends the stream to a party that has gone, and answers the one that has been there for longest.
  private func leave(_ source: EndpointSource) {
    leader = nil
    guard options.remoteAddress == nil else { return }
    endAnswer()
    (remoteAddress, remoteReportAddress) = (nil, nil)
    guard let next = sources.values.min(by: { $0.user < $1.user }) else { return }
    follow(next.ssrc, at: next.address, isLeader: true)
    if sender == nil, case .matching = options.sending { try? answer(next) }
  }

  /// Ends the stream that answers a source in its format.
  private func endAnswer() {
    guard case .matching = options.sending, let sender else { return }
    sendReport(byteCount: sender.writeBye(into: memory, now: clock.nowNanoseconds))
    try? pipeline.stopSending(through: sender.sender)
    self.sender = nil
    // Under the old one its numbers would begin again.
    ssrc = random.next()
    for source in sources.values { source.session.changeSSRC(to: ssrc) }
  }

  /// Follows a source that changes its format, as parties do behind a re-INVITE: it stays the same user, and an answer
  /// has the new format, too.
  private func follow(_ source: EndpointSource, _ header: RTPHeader, _ packet: UnsafeRawBufferPointer, now: Int) {
    let type = header.payloadType
    guard let format = options.format(of: type), !options.assumesOpus(type), source.hasChanged(to: type) else { return }
    let isLeader = leader == source.ssrc
    if isLeader { endAnswer() }
    guard source.take(format, type) else {
      end(source, .formatChanged)
      _ = begin(header, Array(packet), packet, from: source.address, now: now, as: source.user)
      return
    }
    if isLeader, sender == nil, case .matching = options.sending { try? answer(source) }
  }

  private func takeReports(_ datagram: UnsafeRawBufferPointer, from address: SocketAddress, now: Int) {
    if let remoteAddress, address.hasSameHost(as: remoteAddress) { remoteReportAddress = address }
    sender?.takeReports(datagram, now: now)
    for source in sources.values {
      guard let feedback = source.takeReports(datagram, arrival: now) else { continue }
      pipeline.setLinkFeedback(feedback, from: source.user)
    }
  }

  // MARK: The remote address

  /// Lets packets go to the first source. Without SRTP anybody could forge a packet of it: its address then stays until
  /// it ends.
  private func follow(_ ssrc: UInt32, at address: SocketAddress, isLeader: Bool = false) {
    guard options.remoteAddress == nil, isLeader || (ssrc == leader && options.protection != nil) else { return }
    leader = ssrc
    guard address != remoteAddress else { return }
    remoteAddress = address
    remoteReportAddress = Self.reportAddress(address, options)
    report(.remoteAddressChanged(address))
  }

  private static func reportAddress(_ address: SocketAddress, _ options: RTPEndpointOptions) -> SocketAddress {
    options.usesRTCPMux || address.port == .max ? address : address.withPort(address.port + 1)
  }

  // MARK: Sending

  private func session(_ format: RTPPayloadFormat, requests: NackPolicy?) -> RTCPSession {
    var sessionOptions = RTCPSessionOptions(ssrc: ssrc, clockRate: format.clockRate, clock: clock, using: &random)
    sessionOptions.name = name
    sessionOptions.nack = format == .opus ? requests : nil
    return RTCPSession(
      sessionOptions, nowNanoseconds: clock.nowNanoseconds, random: Double.random(in: 0..<1, using: &random))
  }

  /// Takes another SSRC if a source has this one: reports could not be told apart, and under one key a keystream would
  /// repeat.
  private func changeSSRC(ifItIs other: UInt32) {
    guard ssrc == other, sender == nil else { return }
    while ssrc == other { ssrc = random.next() }
    for source in sources.values { source.session.changeSSRC(to: ssrc) }
  }

  /// Answers a source in its own format.
  private func answer(_ source: EndpointSource) throws {
    try startSending(
      SenderOptions(
        codec: SenderCodec(source.format),
        channelCount: source.format.encoding == .linear16 ? source.format.channelCount : 1,
        payloadType: source.payloadType, ssrc: ssrc,
        firstSequenceNumber: UInt16(truncatingIfNeeded: random.next()) & 0x7FFF,
        firstTimestamp: UInt32(truncatingIfNeeded: random.next())))
  }

  private func startSending(_ wanted: SenderOptions) throws {
    let packets = try PacketSender(wanted)
    let format = wanted.codec.format(channelCount: wanted.channelCount) ?? .opus
    sender = SentStream(packets, session: session(format, requests: nil))
    try pipeline.startSending(through: packets)
  }

  private func send(_ now: Int) {
    guard let remoteAddress else { return }
    sender?.pump(
      now: now, random: Double.random(in: 0..<1, using: &random), memory: memory,
      protect: { try? options.protection.protect(memory, byteCount: $0, isRTCP: $1) },
      send: { bytes, isRTCP in
        if isRTCP { transmitReport(bytes) } else { socket.send(bytes, to: remoteAddress) }
      })
    if let feedback = sender?.freshFeedback {
      pipeline.setLinkFeedback(feedback)
      sender?.freshFeedback = nil
    }
    for source in sources.values {
      let snapshot = source.source.latestSnapshot
      sendReport(
        byteCount: source.session.write(
          into: memory, targetDelayNanoseconds: snapshot.targetDelayNanoseconds, playout: snapshot.playout,
          nowNanoseconds: now, random: Double.random(in: 0..<1, using: &random)))
    }
  }

  private func sendReport(byteCount: Int) {
    guard byteCount > 0,
      let bytes = try? options.protection.protect(memory, byteCount: byteCount, isRTCP: true)
    else { return }
    transmitReport(bytes)
  }

  private func transmitReport(_ bytes: UnsafeRawBufferPointer) {
    guard let remoteReportAddress else { return }
    (reportSocket ?? socket).send(bytes, to: remoteReportAddress)
  }
}

extension SenderCodec {
  /// Creates the codec of a format, with its usual duration of packets.
  fileprivate init(_ format: RTPPayloadFormat) {
    switch format.encoding {
    case .opus: self = .opus(OpusOptions())
    case .pcmu: self = .pcmu()
    case .pcma: self = .pcma()
    case .linear16: self = .linear16(sampleRate: format.clockRate)
    }
  }
}
