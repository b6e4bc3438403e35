import AudioGraph
import DSP
import Engine
import FrameObservers
import GraphTestSupport
import MediaStreams
import NetworkIO
import OpusCodec
import Platform
import RTP
import RTPSessions
import SRTP
import TestSupport
import Testing

/// An endpoint beside a telephone that speaks G.711, packet by packet: real sockets in virtual time.
@Suite(.timeLimit(.minutes(10))) struct RTPEndpointTests {
  @Test("a caller is heard and hears the answer at its address in its format", .shows("RTP endpoint"))
  func call() throws {
    let rig = try EndpointRig()
    let telephone = try Telephone(ssrc: 7)
    var answers: [[Int16]] = []
    for tick in 0..<150 {
      if tick % 2 == 0 { telephone.send(tone(160, 500, at: tick * 80), to: rig.endpoint.localAddress) }
      _ = rig.voice.push(tone(160, 800, at: tick * 160, sampleRate: 16_000).span)
      rig.step()
      answers += telephone.receive()
    }
    #expect(rig.endpoint.remoteAddress == telephone.address)
    #expect(rig.events.first == .remoteAddressChanged(telephone.address))
    #expect(
      rig.events.contains(.sourceBegan(user: 1, ssrc: 7, format: .pcmu, from: telephone.address)))
    let heard = rig.stop().suffix(24_000).map { Float($0) }
    #expect(toneAmplitude(of: 500, in: heard, sampleRate: 48_000) > 0.45 * 32_768)
    // 20 ms a packet, from the second packet of the caller on.
    #expect(answers.count >= 70 && answers.allSatisfy { $0.count == 160 })
    let answer = answers.suffix(40).flatMap { $0 }.map { Float($0) }
    #expect(toneAmplitude(of: 800, in: answer, sampleRate: 8_000) > 0.45 * 32_768)
    #expect(telephone.sequenceGaps == 0 && telephone.timestampGaps == 0)
  }

  @Test("the second caller is answered once the first has left", .shows("RTP endpoint"))
  func nextCaller() throws {
    let rig = try EndpointRig()
    let (first, second) = (try Telephone(ssrc: 7), try Telephone(ssrc: 8))
    var answers = (first: 0, second: 0, late: 0)
    for tick in 0..<240 {
      if tick % 2 == 0 {
        if tick < 100 { first.send(tone(160, 500, at: tick * 80), to: rig.endpoint.localAddress) }
        if tick >= 20 { second.send(tone(160, 500, at: tick * 80), to: rig.endpoint.localAddress) }
      }
      if tick == 100 { first.sendBye(to: rig.endpoint.localAddress) }
      _ = rig.voice.push(tone(160, 800, at: tick * 160, sampleRate: 16_000).span)
      rig.step()
      let packets = first.receive().count
      answers.first += packets
      if tick > 150 { answers.late += packets }
      answers.second += second.receive().count
    }
    #expect(rig.endpoint.remoteAddress == second.address)
    _ = rig.stop()
    #expect(answers.first > 40 && answers.second > 40 && answers.late == 0, "\(answers)")
  }

  @Test("a party that restarts with another SSRC stays the same user", .shows("RTP endpoint"))
  func restarted() throws {
    let rig = try EndpointRig()
    let telephone = try Telephone(ssrc: 7)
    for tick in 0..<200 {
      if tick == 100 { telephone.restart(ssrc: 9) }
      if tick % 2 == 0, !(100..<130).contains(tick) {
        telephone.send(tone(160, 500, at: tick * 80), to: rig.endpoint.localAddress)
      }
      rig.step()
    }
    #expect(rig.events.contains(.sourceEnded(user: 1, ssrc: 7, .timeout)))
    #expect(rig.events.contains(.sourceBegan(user: 1, ssrc: 9, format: .pcmu, from: telephone.address)))
    _ = rig.stop()
  }

  @Test(
    "a source that changes its format is heard and answered in the new one", .shows("RTP endpoint", "rtp: codecs"),
    arguments: [8, 11] as [UInt8])
  func changedFormat(type: UInt8) throws {
    let rig = try EndpointRig()
    let telephone = try Telephone(ssrc: 7)
    var types: [UInt8] = []
    for tick in 0..<300 {
      if tick >= 150, type == 11 {
        // L16 at 44,100 Hz, as GStreamer and ffmpeg send it.
        let samples = tone(441, 500, at: tick * 441, sampleRate: 44_100)
        let bytes = samples.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        telephone.send(bytes, type: 11, ticks: 441, to: rig.endpoint.localAddress)
      } else if tick % 2 == 0, tick >= 150 {
        let bytes = tone(160, 500, at: tick * 80).map { Companding.aLaw.byte(of: $0) }
        telephone.send(bytes, type: 8, ticks: 160, to: rig.endpoint.localAddress)
      } else if tick % 2 == 0 {
        telephone.send(tone(160, 500, at: tick * 80), to: rig.endpoint.localAddress)
      }
      _ = rig.voice.push(tone(160, 800, at: tick * 160, sampleRate: 16_000).span)
      rig.step()
      types += telephone.receiveTypes()
    }
    let changes = rig.events.filter { if case .remoteAddressChanged = $0 { false } else { true } }
    if type == 8 {
      #expect(changes == [.sourceBegan(user: 1, ssrc: 7, format: .pcmu, from: telephone.address)])
    } else {
      let format = try #require(RTPPayloadFormat(staticPayloadType: 11))
      #expect(
        changes == [
          .sourceBegan(user: 1, ssrc: 7, format: .pcmu, from: telephone.address),
          .sourceEnded(user: 1, ssrc: 7, .formatChanged),
          .sourceBegan(user: 1, ssrc: 7, format: format, from: telephone.address),
        ])
    }
    // Answers in the format of the packets before them.
    #expect(Set(types[..<60]) == [0] && Set(types.suffix(40)) == [type], "\(types)")
    #expect(rig.endpoint.remoteAddress == telephone.address)
    let heard = rig.stop()
    for part in [heard[12_000..<60_000], heard.suffix(48_000)] {
      #expect(toneAmplitude(of: 500, in: part.map { Float($0) }, sampleRate: 48_000) > 0.45 * 32_768)
    }
  }

  @Test("a handler of events may stop the endpoint", .shows("RTP endpoint"))
  func stopInHandler() throws {
    let rig = try EndpointRig()
    let telephone = try Telephone(ssrc: 7)
    rig.endpoint.onEvent { [endpoint = rig.endpoint] event in
      if case .sourceBegan = event { endpoint.stop() }
    }
    for tick in 0..<40 {
      telephone.send(tone(160, 500, at: tick * 80), to: rig.endpoint.localAddress)
      rig.step()
    }
    #expect(rig.events.contains(.sourceEnded(user: 1, ssrc: 7, .stopped)))
    _ = rig.stop()
  }

  @Test("an interruption is silence on the wire within 40 ms", .shows("RTP endpoint"))
  func interruption() throws {
    let rig = try EndpointRig()
    let telephone = try Telephone(ssrc: 7)
    _ = rig.voice.push(tone(32_000, 800, at: 0, sampleRate: 16_000).span)
    var loud: [Int] = []
    for tick in 0..<100 {
      if tick % 2 == 0 { telephone.send(tone(160, 500, at: tick * 80), to: rig.endpoint.localAddress) }
      if tick == 60 { rig.voice.clear() }
      rig.step()
      for packet in telephone.receive() where packet.contains(where: { abs(Int($0)) > 500 }) { loud.append(tick) }
    }
    _ = rig.stop()
    #expect(loud.count > 20)
    // Ticks of 10 ms: a packet that leaves in tick 63 or before.
    #expect(loud.last.map { $0 <= 63 } == true, "\(loud)")
  }

  @Test("each source is a user, and leaves with its BYE or in silence", .shows("RTP endpoint"))
  func sources() throws {
    let rig = try EndpointRig { options in
      options.maximumSourceCount = 2
      options.sourceTimeout = .seconds(1)
    }
    let telephones = try [UInt32(7), 8, 9].map { try Telephone(ssrc: $0) }
    for tick in 0..<300 {
      for (index, telephone) in telephones.enumerated() where tick % 2 == 0 {
        // The second says BYE after 1 s, the first falls silent after 1.5 s.
        if index == 1, tick >= 100 || index == 0 && tick >= 150 { continue }
        if index == 0, tick >= 150 { continue }
        telephone.send(tone(160, 500, at: tick * 80), to: rig.endpoint.localAddress)
      }
      if tick == 100 { telephones[1].sendBye(to: rig.endpoint.localAddress) }
      rig.step()
    }
    let events = rig.events
    _ = rig.stop()
    var began: [UInt32: UInt32] = [:]
    var ended: [UInt32] = []
    for event in events {
      switch event {
      case .sourceBegan(let user, let ssrc, _, _): began[ssrc] = user
      case .sourceEnded(_, let ssrc, _): ended.append(ssrc)
      default: break
      }
    }
    #expect(events.filter { if case .sourceRefused(9, _) = $0 { true } else { false } }.count == 1)
    // The third takes the place of the one that has left.
    #expect(began == [7: 1, 8: 2, 9: 2])
    #expect(ended == [8, 7])
    // Only the first is answered.
    #expect(telephones[0].receive().count > 50 && telephones[1].receive().isEmpty)
  }

  @Test("a single packet makes no user, and a forged one takes no call over", .shows("RTP endpoint"))
  func forged() throws {
    let rig = try EndpointRig()
    let (telephone, other) = (try Telephone(ssrc: 7), try Telephone(ssrc: 7))
    let stranger = try Telephone(ssrc: 99)
    for tick in 0..<60 {
      if tick % 2 == 0 { telephone.send(tone(160, 500, at: tick * 80), to: rig.endpoint.localAddress) }
      if tick == 20 { stranger.send(tone(160, 500, at: 0), to: rig.endpoint.localAddress) }
      if tick > 30, tick % 2 == 0 { other.send(tone(160, 500, at: 0), to: rig.endpoint.localAddress) }
      rig.step()
    }
    #expect(rig.endpoint.remoteAddress == telephone.address)
    #expect(rig.events.filter { if case .sourceBegan = $0 { true } else { false } }.count == 1)
    _ = rig.stop()
  }

  @Test(
    "samples at an unnamed payload type are not taken for Opus", .shows("RTP endpoint"),
    arguments: [(882, 441), (960, 480), (1_764, 441), (640, 320), (160, 160), (1_920, 480)])
  func unnamedSamples(byteCount: Int, ticks: Int) throws {
    for isSilent in [true, false] {
      let rig = try EndpointRig()
      let caller = try Telephone(ssrc: 7)
      var random = SeededGenerator(seed: 5)
      for _ in 0..<20 {
        let payload = (0..<byteCount).map { _ in isSilent ? 0 : UInt8.random(in: 0...255, using: &random) }
        caller.send(payload, type: 97, ticks: UInt32(ticks), to: rig.endpoint.localAddress)
        rig.step()
      }
      #expect(
        rig.events == [
          .sourceRefused(ssrc: 7, reason: "its packets of payload type 97 are not Opus; name the format of that type")
        ])
      _ = rig.stop()
    }
  }

  @Test(
    "Opus at any bitrate and duration is accepted at an unnamed type", .shows("RTP endpoint"),
    arguments: [(2.5, 510), (5, 510), (10, 510), (20, 384), (20, 510), (60, 6), (120, 24)])
  func unnamedOpus(milliseconds: Double, kilobits: Int) throws {
    let rig = try EndpointRig()
    let caller = try Telephone(ssrc: 7)
    // CELT, 2.5 to 20 ms, one frame; longer packets are of several frames of 20 ms.
    let frames = milliseconds > 20 ? Int(milliseconds) / 20 : 1
    let configuration: UInt8 = milliseconds == 2.5 ? 28 : milliseconds == 5 ? 29 : milliseconds == 10 ? 30 : 31
    let head: [UInt8] = frames == 1 ? [configuration << 3] : [configuration << 3 | 3, UInt8(frames)]
    let byteCount = Int(Double(kilobits) * milliseconds / 8)
    for tick in 0..<20 {
      let payload = head + [UInt8](repeating: UInt8(tick), count: (byteCount - head.count) / frames * frames)
      caller.send(payload, type: 97, ticks: UInt32(milliseconds * 48), to: rig.endpoint.localAddress)
      rig.step()
    }
    #expect(rig.events.contains { if case .sourceBegan(1, 7, .opus, _) = $0 { true } else { false } })
    _ = rig.stop()
  }

  @Test("a pressed key is an event of its user", .shows("RTP endpoint"))
  func keys() throws {
    let rig = try EndpointRig()
    let telephone = try Telephone(ssrc: 7)
    for tick in 0..<100 {
      if tick % 2 == 0 { telephone.send(tone(160, 500, at: tick * 80), to: rig.endpoint.localAddress) }
      if (40..<46).contains(tick) {
        telephone.sendKey(5, duration: (tick - 39) * 80, isEnd: tick > 42, to: rig.endpoint.localAddress)
      }
      rig.step()
    }
    let presses = rig.events.compactMap { event -> KeyPress? in
      if case .keyPress(1, let press) = event { press } else { nil }
    }
    _ = rig.stop()
    #expect(presses.map(\.digit) == ["5"])
  }

  @Test(
    "two endpoints hear each other over SRTP only under the same key", .shows("RTP endpoint"),
    arguments: [true, false])
  func protected(sharesKey: Bool) throws {
    func protection(seed: UInt64) throws -> SRTPContextPair {
      var random = SeededGenerator(seed: seed)
      let key = SRTPKey(.aeadAES128GCM, using: &random)
      return SRTPContextPair(sending: key, receiving: key)
    }
    let callee = try EndpointRig { options in
      options.usesRTCPMux = true
      options.protection = try protection(seed: 1)
    }
    let caller = try EndpointRig { options in
      options.remoteAddress = callee.endpoint.localAddress
      options.usesRTCPMux = true
      options.protection = try protection(seed: sharesKey ? 1 : 2)
      options.sending = .stream(SenderOptions(codec: .opus(OpusOptions(complexity: 1)), ssrc: 77))
    }
    for tick in 0..<150 {
      _ = caller.voice.push(tone(160, 500, at: tick * 160, sampleRate: 16_000).span)
      _ = callee.voice.push(tone(160, 800, at: tick * 160, sampleRate: 16_000).span)
      caller.step()
      callee.step()
    }
    let began = callee.events.contains {
      if case .sourceBegan(1, 77, .opus, _) = $0 { true } else { false }
    }
    #expect(began == sharesKey)
    let (atCallee, atCaller) = (callee.stop().map { Float($0) }, caller.stop().map { Float($0) })
    guard sharesKey else {
      #expect(atCallee.isEmpty && atCaller.isEmpty)
      return
    }
    #expect(toneAmplitude(of: 500, in: atCallee.suffix(24_000), sampleRate: 48_000) > 0.4 * 32_768)
    #expect(toneAmplitude(of: 800, in: atCaller.suffix(24_000), sampleRate: 48_000) > 0.4 * 32_768)
  }

  @Test("options out of range are errors")
  func options() throws {
    let pipeline = try AudioPipeline()
    func make(channelCount: Int = 1, maximumSourceCount: Int = 1, sourceTimeout: Duration = .seconds(1)) throws {
      _ = try RTPEndpoint(
        pipeline, at: "127.0.0.1:0",
        options: RTPEndpointOptions(
          channelCount: channelCount, maximumSourceCount: maximumSourceCount, sourceTimeout: sourceTimeout))
    }
    try make()
    #expect(throws: EngineError.self) { try make(channelCount: 3) }
    #expect(throws: EngineError.self) { try make(maximumSourceCount: 0) }
    #expect(throws: EngineError.self) { try make(sourceTimeout: .zero) }
  }

  @Test("an offline pipeline is refused, and an endpoint starts once")
  func refused() throws {
    #expect(throws: EngineError.self) { try RTPEndpoint(AudioPipeline(mode: .offline), at: "127.0.0.1:0") }
    #expect(throws: EngineError.self) { try RTPEndpoint(AudioPipeline(sampleRate: 44_100), at: "127.0.0.1:0") }
    let endpoint = try RTPEndpoint(AudioPipeline(), at: "127.0.0.1:0")
    try endpoint.start()
    #expect(throws: EngineError.self) { try endpoint.start() }
    endpoint.stop()
    endpoint.stop()
    #expect(throws: EngineError.self) { try endpoint.start() }
  }

  private func tone(_ count: Int, _ frequency: Double, at start: Int, sampleRate: Int = 8_000) -> [Int16] {
    (start..<start + count).map { Int16(16_384 * sine(frequency * Double($0) / Double(sampleRate))) }
  }
}
