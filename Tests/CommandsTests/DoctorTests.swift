import CommandTestSupport
import Foundation
import TestSupport
import Testing

@testable import CommandLineKit
@testable import Commands

private let cards = """
   0 [PCH            ]: HDA-Intel - HDA Intel PCH
                        HDA Intel PCH at 0xf7210000 irq 31
   1 [Device         ]: USB-Audio - USB [Audio] - Device
                        C-Media at usb-0000:00:14.0-3, full speed
  """
private let streams = """
  00-00: ALC892 Analog : ALC892 Analog : playback 1 : capture 1
  00-03: HDMI 0 : HDMI 0 : playback 1
  01-00: USB Audio :  : capture 1
  nonsense
  """

private func report(
  sound: SoundDevices, priority: RealTimePriority, udp: UDPProbe, lateness: Int = 80_000,
  drawsPNG: Bool = true
) -> DoctorReport {
  DoctorReport(
    libraries: LinkedLibrary.all,
    machine: Machine(
      kernel: "Linux 6.1", architecture: "x86_64", processorCount: 2,
      processorText: "processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: fpu sse2 avx avx2 fma\n",
      memoryText: "MemTotal:       2048000 kB\nMemAvailable:   1024000 kB\n"),
    sound: sound, devices: [], priority: priority, clock: ClockProbe(source: source(lateness: lateness)), udp: udp,
    drawsPNG: drawsPNG)
}

/// A clock that moves only while somebody waits, and wakes them up late.
private func source(lateness: Int, resolution: Int = 1) -> ClockProbe.Source {
  let clock = ManualClock()
  return ClockProbe.Source(
    resolution: { resolution }, now: { Int(clock.now / .nanoseconds(1)) },
    sleepUntil: { clock.advance(by: .nanoseconds($0 + lateness) - clock.now) })
}

@Suite("Doctor", .timeLimit(.minutes(10)))
struct DoctorTests {
  @Test("Cards and their streams are read as the kernel lists them")
  func soundDevices() {
    let sound = SoundDevices(cards: cards, streams: streams)
    #expect(
      sound.cards == [
        SoundDevices.Card(index: 0, id: "PCH", name: "HDA Intel PCH"),
        SoundDevices.Card(index: 1, id: "Device", name: "USB [Audio] - Device"),
      ])
    #expect(sound.streams.map(\.name) == ["ALC892 Analog", "HDMI 0", "USB Audio"])
    #expect(sound.streams.map(\.plays) == [true, true, false])
    #expect(sound.streams.map(\.captures) == [true, false, true])
    #expect(sound.advice == nil)
  }

  @Test(
    "A machine without sound cards gets one plain sentence", .shows("doctor", "no sound device"),
    arguments: ["", "--- no soundcards ---\n"])
  func noSound(cards: String) {
    let sound = SoundDevices(cards: cards, streams: "")
    let sentence = "This machine has no sound card, and none is needed"
    #expect(sound.cards.isEmpty && sound.advice?.hasPrefix(sentence) == true)
    #expect(SoundDevices(folder: "/nonexistent") == sound)
  }

  @Test("Processor and memory are read as the kernel describes them")
  func machine() {
    let arm = Machine(
      kernel: "Linux", architecture: "aarch64", processorCount: 4,
      processorText: "processor : 0\nFeatures : fp asimd evtstrm\n", memoryText: "")
    #expect(arm.processor == "aarch64" && arm.features == ["asimd"] && arm.memoryBytes == 0)
    let here = Machine()
    #expect(
      here.memoryBytes > 0 && here.availableMemoryBytes <= here.memoryBytes && here.kernel.hasPrefix("Linux"))
  }

  @Test("a late or coarse timer has advice")
  func clock() {
    let punctual = ClockProbe(source: source(lateness: 80_000))
    #expect(punctual.medianLatenessNanoseconds == 80_000 && punctual.maximumLatenessNanoseconds == 80_000)
    #expect(punctual.advice == nil)
    #expect(ClockProbe(source: source(lateness: 7_000_000)).advice?.contains("more than 5 ms late") == true)
    #expect(
      ClockProbe(source: source(lateness: 0, resolution: 4_000_000)).advice?.contains("coarser") == true)
  }

  @Test("Asking for real-time priority leaves the thread as it was")
  func priority() {
    var (before, after) = (sched_param(), sched_param())
    let policy = sched_getscheduler(0)
    sched_getparam(0, &before)
    let priority = RealTimePriority()
    sched_getparam(0, &after)
    #expect(sched_getscheduler(0) == policy && before.sched_priority == after.sched_priority)
    #expect(priority.isGranted == (priority.advice == nil))
  }

  @Test("A datagram comes through on loopback")
  func udp() {
    #expect(UDPProbe().isWorking)
    #expect(UDPProbe(errorNumber: EPERM).advice?.contains("(Operation not permitted)") == true)
  }

  @Test("the JSON is one object of schema 1 with advice for missing parts", .shows("JSON"))
  func json() throws {
    let bare = report(
      sound: SoundDevices(cards: "", streams: ""), priority: RealTimePriority(limit: 0, errorNumber: EPERM),
      udp: UDPProbe(errorNumber: ENETUNREACH), lateness: 7_000_000, drawsPNG: false)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(bare.json.utf8)) as? [String: Any])
    #expect(object["schema"] as? Int == 1)
    #expect((object["advice"] as? [String])?.count == 5)
    #expect((object["pictures"] as? [String: Bool]) == ["svg": true, "png": false])
    #expect((object["udp"] as? [String: Bool]) == ["loopback": false])
    #expect(
      (object["memory"] as? [String: Int]) == [
        "total_bytes": 2_097_152_000, "available_bytes": 1_048_576_000,
      ])
    #expect((object["cpu"] as? [String: Any])?["features"] as? [String] == ["sse2", "avx", "avx2", "fma"])
    let lateness = (object["clock"] as? [String: Any])?["lateness_us"] as? [String: Double]
    #expect(lateness == ["p50": 7000, "max": 7000])
    #expect((object["libraries"] as? [[String: String]])?.count == LinkedLibrary.all.count)
  }

  @Test("fields of devices are documented, and an absent limit is null")
  func fields() throws {
    let full = report(
      sound: SoundDevices(cards: cards, streams: streams), priority: RealTimePriority(limit: nil, errorNumber: 0),
      udp: UDPProbe(errorNumber: 0))
    let object = try #require(try JSONSerialization.jsonObject(with: Data(full.json.utf8)) as? [String: Any])
    #expect((object["real_time"] as? [String: Any])?["priority_limit"] is NSNull)
    #expect(ReportFields.keys(of: object).isSuperset(of: ["card", "device", "capture", "index"]))
    let unnamed = try ReportFields.unnamed(in: object, "doctor")
    #expect(unnamed.isEmpty)
  }

  @Test("The table says ok or missing in words, and fits the terminal")
  func table() {
    let full = report(
      sound: SoundDevices(cards: cards, streams: streams),
      priority: RealTimePriority(limit: nil, errorNumber: 0),
      udp: UDPProbe(errorNumber: 0))
    let text = DoctorTable(report: full, width: 80, style: .plain).text
    #expect(!text.contains("missing"))
    for part in [
      "hw:0,0", "HDMI 0 (playback)", "granted (no limit)", "80 µs (p50)", "2 x Some CPU", "2000 MiB",
    ] {
      #expect(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(part), "\(part)")
    }
    let bare = report(
      sound: SoundDevices(cards: "", streams: ""), priority: RealTimePriority(limit: 0, errorNumber: EPERM),
      udp: UDPProbe(errorNumber: EPERM), drawsPNG: false)
    let bareText = DoctorTable(report: bare, width: 80, style: .plain).text
    #expect(bareText.split(separator: "\n").filter { $0.hasPrefix("missing") }.count == 4)
    for line in (text + bareText).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test("doctor exits with 0 and prints one object with --json", .shows("doctor"))
  func command() throws {
    let captured = try CapturedConsole()
    #expect(Audiopipe.run(["doctor", "--json"], console: captured.console) == .success)
    #expect(captured.output.hasSuffix("}\n") && captured.output.split(separator: "\n").count == 1)
    _ = try #require(try JSONSerialization.jsonObject(with: Data(captured.output.utf8)) as? [String: Any])
  }
}
