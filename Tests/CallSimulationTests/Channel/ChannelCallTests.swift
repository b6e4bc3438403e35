import AudioFiles
import AudioGraph
import CallSimulation
import MediaStreams
import NetworkSimulation
import OpusCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ChannelCallTests {
  private let calls = ChannelCalls()

  @Test("three users of a relay hear exactly the two others", .shows("simulate: relay"))
  func threeUsers() throws {
    let call = try calls.call(3, seconds: 3, conditions: try ChannelCalls.delay(20), each: "three")
    let result = try call.run()
    for listener: UInt32 in 1...3 {
      func amplitude(_ uid: UInt32, in name: String) throws -> Double {
        let samples = try calls.files.samples("three/\(name).wav")
        return toneAmplitude(of: ChannelCalls.hertz(uid), in: samples[48_000..<96_000], sampleRate: 48_000)
      }
      #expect(try amplitude(listener, in: "\(listener)") < 0.01, "\(listener) hears itself")
      for other: UInt32 in 1...3 where other != listener {
        #expect(abs(try amplitude(other, in: "\(listener)") - 0.25) < 0.01, "\(listener) hears \(other)")
        #expect(abs(try amplitude(other, in: "\(listener)_from_\(other)") - 0.25) < 0.01)
        for third: UInt32 in 1...3 where third != other {
          #expect(try amplitude(third, in: "\(listener)_from_\(other)") < 0.01)
        }
      }
      let heard = try #require(result.listeners.first { $0.uid == listener }?.heard)
      #expect(heard.map(\.uid) == [1, 2, 3].filter { $0 != listener })
      for voice in heard {
        #expect(voice.packetsLost == 0 && voice.statistics.concealedSamples == 0)
        #expect(voice.link.sent - voice.link.delivered <= 3, "packets of 20 ms are under way at the end")
        #expect(voice.statistics.ledger.imbalance() == 0)
      }
    }
  }

  @Test("mouth to ear is at most 60 ms above the path with packets of 10 ms", .shows("simulate: relay"))
  func delay() throws {
    for milliseconds in [0, 20, 50] {
      let result = try calls.call(2, seconds: 6, conditions: try ChannelCalls.delay(milliseconds)).run()
      for heard in result.listeners.flatMap(\.heard) {
        #expect(heard.delay.count > 400)
        #expect(heard.delay.milliseconds(atQuantile: 0.95) <= 60 + 2 * Double(milliseconds), "path \(milliseconds)")
      }
    }
  }

  @Test("a late user is heard from its join, or later if its file says so", .shows("simulate: relay"))
  func lateJoin() throws {
    for wait in [0.0, 1] {
      var call = try calls.call(
        2, seconds: 8, conditions: try ChannelCalls.delay(20),
        events: "{\"time_s\": 5, \"name\": \"join\", \"user\": 2}", each: "late\(wait)")
      call.users[1].startSeconds = wait
      _ = try call.run()
      let heard = try calls.files.samples("late\(wait)/1_from_2.wav")
      func amplitude(_ start: Double) -> Double {
        let range = Int((start + wait) * 48_000)..<Int((start + wait + 0.5) * 48_000)
        return toneAmplitude(of: ChannelCalls.hertz(2), in: heard[range], sampleRate: 48_000)
      }
      #expect(amplitude(4.5) < 0.001 && abs(amplitude(5.5) - 0.25) < 0.01, "\(amplitude(5.5))")
    }
  }

  @Test("a join over a path that reorders does not wait for DTLS's timer of 1 s", arguments: UInt64(1)...6)
  func reorderedJoin(seed: UInt64) throws {
    let conditions = try NetworkConditions(
      delay: .milliseconds(30), jitter: .uniform(plusMinus: .milliseconds(10)))
    var call = try calls.call(3, seconds: 2, conditions: conditions)
    call.codec = .null(.milliseconds20)
    call.seed = seed
    let result = try call.run()
    for user: UInt32 in 1...3 {
      let joined = try #require(result.connection(of: user).first { $0.text.hasPrefix("joined") })
      #expect(joined.seconds < 0.7, "\(user): \(joined)")
    }
  }

  @Test("links that only reorder packets do not turn FEC on", .shows("simulate: relay"), arguments: UInt64(1)...3)
  func reorderedMedia(seed: UInt64) throws {
    let conditions = try NetworkConditions(
      delay: .milliseconds(20), jitter: .uniform(plusMinus: .milliseconds(15)))
    var call = try calls.call(2, seconds: 40, conditions: conditions)
    call.codec = .opus(OpusOptions(complexity: 0, packetDuration: .milliseconds10))
    call.adapts = true
    call.seed = seed
    let result = try call.run()
    #expect(result.listeners.flatMap(\.heard).allSatisfy { $0.link.reordered > 100 })
    let changes = result.events.filter { if case .sending = $0.kind { true } else { false } }
    #expect(changes.isEmpty, "\(changes)")
  }

  @Test("losses, duplicates and reordered packets of links are counted apart", .shows("simulate: relay"))
  func linkCounters() throws {
    let conditions = try NetworkConditions(
      loss: .bernoulli(probability: 0.05), delay: .milliseconds(20),
      reordering: Reordering(probability: 0.04, heldBack: .milliseconds(30)), duplication: 0.03)
    for listener in try calls.call(2, seconds: 10, conditions: conditions).run().listeners {
      for link in listener.heard.map(\.link) {
        // 1 - 0.95 x 0.95 = 0.0975 lost, and 3 % of the others twice; the relay drops duplicates of the uplink.
        #expect((0.06...0.14).contains(Double(link.lost) / Double(link.sent)) && link.dropped == 0, "\(link)")
        #expect((0.01...0.05).contains(Double(link.duplicated) / Double(link.sent)) && link.reordered > 0, "\(link)")
      }
    }
    let narrow = try NetworkConditions(bottleneck: Bottleneck(bitsPerSecond: 30_000, queueDuration: .milliseconds(20)))
    for listener in try calls.call(2, seconds: 5, conditions: narrow).run().listeners {
      for link in listener.heard.map(\.link) { #expect(link.lost == 0 && link.dropped > 50, "\(link)") }
    }
  }

  @Test("a channel's users, packets and counters close", .shows("simulate: relay"))
  func sums() throws {
    var call = try calls.call(3, seconds: 8, conditions: try ChannelCalls.delay(30, loss: 0.1))
    call.seed = 5
    let result = try call.run()
    let counters = Dictionary(uniqueKeysWithValues: result.relayCounters.map { ($0.name, $0.value) })
    let heard = result.listeners.flatMap(\.heard)
    #expect(counters["malformed-packets"] == 0 && counters["drops"] == 0)
    // What the relay forwards is what listeners get, and what their downlinks lose.
    let forwarded = try #require(counters["forwarded"]) - (counters["retransmitted"] ?? 0)
    #expect(heard.reduce(0) { $0 + $1.packetsSent } >= forwarded)
    for voice in heard {
      let loss = Double(voice.packetsLost) / Double(voice.packetsSent)
      // 1 - 0.9 x 0.9 = 0.19.
      #expect((0.15...0.23).contains(loss), "\(loss)")
      #expect(voice.statistics.ledger.imbalance() == 0)
    }
    #expect(heard.contains { $0.statistics.retransmittedPacketsUsed > 0 })
  }

  @Test("the publisher turns FEC on for a listener with a lossy downlink", .shows("simulate: relay"))
  func lossyListener() throws {
    var call = try calls.call(
      3, seconds: 20, conditions: try ChannelCalls.delay(20),
      events: "{\"time_s\": 0, \"name\": \"network\", \"to\": 3, \"loss_percent\": 20}")
    // FEC is of speech.
    for index in call.users.indices {
      call.users[index].path = try calls.files.voice("voice\(index).wav", seed: UInt64(index), seconds: 18)
    }
    call.adapts = true
    call.resendsPackets = false
    let result = try call.run()
    let lossy = try #require(result.listeners.first { $0.uid == 3 }).heard
    for voice in lossy {
      #expect(voice.statistics.fecPacketsUsed > 40, "\(voice.statistics.fecPacketsUsed)")
      #expect((0.12...0.28).contains(Double(voice.packetsLost) / Double(voice.packetsSent)))
    }
    for voice in try #require(result.listeners.first { $0.uid == 1 }).heard where voice.uid == 2 {
      #expect(voice.packetsLost == 0 && voice.statistics.concealedSamples == 0)
    }
  }

  @Test(
    "a publisher's bad link adds 65 ms at most, and FEC stays on", .shows("simulate: relay"),
    arguments: [(20, 15, 5.0), (50, 20, 10.0)])
  func badUplink(delay: Int, jitter: Int, lossPercent: Double) throws {
    let link = """
      "delay_ms": \(delay), "jitter_ms": \(jitter), "loss_percent": \(lossPercent)}
      """
    var call = try calls.call(
      2, seconds: 30,
      events: ["from", "to"].map { side in
        "{\"time_s\": 0, \"name\": \"network\", \"\(side)\": 1, \(link)"
      }.joined(separator: ", "))
    call.users[0].path = try calls.files.voice("voice.wav", seed: 1, seconds: 30)
    call.codec = .opus(OpusOptions())
    call.adapts = true
    let voice = try #require(try call.run().listeners.first { $0.uid == 2 }?.heard.first)
    #expect(voice.delay.meanMilliseconds <= Double(delay + 65), "\(voice.delay.meanMilliseconds)")
    // Without FEC, next to nothing would be recovered in time.
    #expect(Double(voice.statistics.fecPacketsUsed) > 0.45 * Double(voice.packetsLost))
  }
}
