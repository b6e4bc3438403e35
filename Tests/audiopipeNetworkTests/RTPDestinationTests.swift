import CommandTestSupport
import Foundation
import NetworkIO
import Platform
import TestSupport
import Testing

/// What becomes of a stream that nobody hears, or nobody for a while.
@Suite("rtp send: destinations", .timeLimit(.minutes(10)))
struct RTPDestinationTests {
  private func folder(seconds: Double) throws -> Workspace {
    let folder = try Workspace()
    let tone = Signals.sine(440, rate: 48_000, seconds: seconds, amplitude: 0.3)
    try folder.write("in.wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    return folder
  }

  @Test("a send without a listener ends with 69 and the unreachable count", .shows("rtp: destinations"))
  func nobody() throws {
    let port = try Ports.pair()
    let folder = try folder(seconds: 0.5)
    let ending = try Tool.run("rtp send in.wav --url rtp://127.0.0.1:\(port) --codec opus:frame=20 --fixed", in: folder)
    #expect(ending.status == 69 && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains("no program took any packet at 127.0.0.1:\(port)"), "\(ending.errors)")
    #expect(ending.warnings.count == 1, "said once, not for each packet: \(ending.errors)")
    #expect(ending.text.contains("26 packets") && ending.text.contains("0 failures, 26 unreachable"), "\(ending.text)")
    let json = try Tool.run(
      "rtp send in.wav --url rtp://127.0.0.1:\(port) --codec opus:frame=20 --fixed --json", in: folder)
    #expect(json.status == 69 && json.json?["unreachable"] as? Int == 26 && json.json?["failures"] as? Int == 0)
  }

  @Test("a file without samples is sent as 0 packets, with a warning", .shows("rtp: destinations"))
  func nothing() throws {
    let port = try Ports.pair()
    let ending = try Tool.run("rtp send in.wav --url rtp://127.0.0.1:\(port)", in: folder(seconds: 0))
    #expect(ending.status == 0 && ending.text.contains("0 packets"), "\(ending.text)")
    #expect(ending.warnings.count == 1 && ending.errors.contains("in.wav holds no samples"), "\(ending.errors)")
  }

  @Test("an absent receiver ends nothing, and its unreachable packets count", .shows("rtp: destinations"))
  func away() throws {
    let port = try Ports.pair()
    let folder = try folder(seconds: 1.5)
    let address = try SocketAddress("127.0.0.1:\(port)")
    let run = try Tool.launch("rtp send in.wav --url rtp://127.0.0.1:\(port) --json --fixed", in: folder)
    // Away, there, away again: each until the sender has been seen to go on.
    let warned = run.poll { (try? String(contentsOfFile: run.errorPath, encoding: .utf8))?.contains("for now") == true }
    #expect(warned)
    var listener: UDPSocket? = try UDPSocket(at: address)
    var heard = 0
    let came = run.poll {
      while listener?.receive({ _, _ in () }) != nil { heard += 1 }
      return heard >= 10
    }
    #expect(came)
    listener = nil
    let ending = try Tool.finish(run, in: folder)
    #expect(ending.status == 0 && ending.failures.isEmpty, "\(ending.errors)")
    let json = try #require(ending.json)
    let (packets, unreachable) = (json["packets"] as? Int ?? 0, json["unreachable"] as? Int ?? 0)
    #expect(unreachable > 10 && unreachable <= packets - 10, "\(unreachable) of \(packets)")
  }

  @Test("packets before a late receiver's arrival are lost, heard ones are not", .shows("rtp: destinations"))
  func late() throws {
    let port = try Ports.pair()
    let folder = try folder(seconds: 5)
    let sender = try Tool.launch(
      "rtp send in.wav --url rtp://127.0.0.1:\(port) --codec opus:frame=20 --fixed --json", in: folder)
    let warned = sender.poll {
      (try? String(contentsOfFile: sender.errorPath, encoding: .utf8))?.contains("for now") == true
    }
    #expect(warned)
    let receiver = try Tool.run("rtp receive --url rtp://127.0.0.1:\(port) --output out.wav --json", in: folder)
    let ending = try Tool.finish(sender, in: folder)
    #expect(ending.status == 0 && receiver.status == 0, "\(ending.errors) \(receiver.errors)")
    let json = try #require(ending.json)
    let (packets, judged) = (json["packets"] as? Int ?? 0, json["judged"] as? Int ?? 0)
    let (lost, unreachable) = (json["lost"] as? Int ?? 0, json["unreachable"] as? Int ?? 0)
    let heard = try #require(receiver.json?["packets"] as? Int)
    #expect(unreachable > 0 && lost == unreachable && packets == unreachable + heard, "\(json) \(heard)")
    // What was sent since its newest report is not judged.
    #expect(judged <= packets && judged > packets - 200 && judged - lost <= heard, "\(json) \(heard)")
  }

  @Test("a receiver that leaves for good is reported once, with the time", .shows("rtp: destinations"))
  func gone() throws {
    let port = try Ports.pair()
    let folder = try folder(seconds: 7)
    let receiver = try Tool.launch(
      "rtp receive --url rtp://127.0.0.1:\(port) --output out.wav --duration 2.5 --json", in: folder)
    let listens = receiver.poll {
      (try? String(contentsOfFile: receiver.errorPath, encoding: .utf8))?.contains("listening") == true
    }
    #expect(listens)
    let ending = try Tool.run("rtp send in.wav --url rtp://127.0.0.1:\(port) --json-lines --stats", in: folder)
    _ = try Tool.finish(receiver, in: folder)
    #expect(ending.status == 0 && ending.warnings.count == 1, "\(ending.errors)")
    #expect(
      ending.errors.range(
        of: #"at [1-4]\.[0-9] s: no receiver hears this at 127\.0\.0\.1:\#(port)"#, options: .regularExpression) != nil,
      "\(ending.errors)")
    let lines = ending.text.split(separator: "\n").compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    let report = try #require(lines.last?["report"] as? [String: Any])
    let outage = try #require((report["outages"] as? [[String: Double]])?.first)
    #expect(report["outage_count"] as? Int == 1 && report["fraction_lost"] as? Double == 1, "\(report)")
    #expect(outage["time_s"]! > 1 && outage["time_s"]! < 4.5 && abs(outage["time_s"]! + outage["duration_s"]! - 7) < 1)
    let unnamed = try ReportFields.unnamed(in: report, "rtp send")
    #expect(unnamed.isEmpty, "Documentation/Reports.md does not name them")
    let qualities = lines.filter { $0["event"] as? String == "networkQuality" }.compactMap { $0["tx"] as? Int }
    let losses = lines.filter { $0["event"] as? String == "localAudioStats" }.map { $0["loss_percent"] as? Double }
    #expect(qualities.last == 6 && losses.last == 100, "\(qualities) \(losses)")
  }

  @Test("a receiver without a port for reports is not taken for an absent one", .shows("rtp: destinations"))
  func noReportPort() throws {
    let port = try Ports.pair()
    let folder = try folder(seconds: 0.3)
    let listener = try UDPSocket(at: try SocketAddress("127.0.0.1:\(port)"))
    let ending = try Tool.run("rtp send in.wav --url rtp://127.0.0.1:\(port) --json", in: folder)
    #expect(ending.status == 0 && ending.json?["unreachable"] as? Int == 0, "\(ending.errors)")
    withExtendedLifetime(listener) {}
  }
}
