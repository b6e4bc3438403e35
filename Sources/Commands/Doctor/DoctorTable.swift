import CommandLineKit
import Devices

/// The report of `doctor` for people: a line for each ability, and advice for missing ones.
struct DoctorTable {
  let report: DoctorReport
  let width: Int
  let style: TerminalStyle

  var text: String {
    let machine = report.machine
    var text =
      style.heading("audiopipe \(Version.number)") + " on \(machine.kernel) \(machine.architecture)\n\n"
    text += row("libraries", report.libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", "))
    text += row("sound", soundText, report.soundAdvice)
    text += row("real time", priorityText, report.priority.advice)
    text += row("clock", clockText, report.clock.advice, lacking: "late")
    text += row(
      "UDP", report.udp.isWorking ? "datagrams pass on 127.0.0.1" : "does not work on 127.0.0.1",
      report.udp.advice)
    text += row("pictures", report.drawsPNG ? "SVG and PNG" : "SVG", report.pictureAdvice)
    text += row(
      "processor",
      "\(machine.processorCount) x \(machine.processor)"
        + (machine.features.isEmpty ? "" : " (\(machine.features.joined(separator: ", ")))"))
    text += row(
      "memory", "\(mebibytes(machine.memoryBytes)) MiB, \(mebibytes(machine.availableMemoryBytes)) available")
    return text
  }

  private var soundText: String {
    guard !report.sound.cards.isEmpty else {
      let names = report.devices.map(\.id)
      return names.isEmpty ? "none" : "no card; opens " + Set(names).sorted().joined(separator: ", ")
    }
    let cards = report.sound.cards.map { card in
      let streams = report.sound.streams.filter { $0.card == card.index }.map { stream in
        let uses = [stream.plays ? "playback" : nil, stream.captures ? "capture" : nil].compactMap { $0 }
        return "hw:\(card.index),\(stream.device) \(stream.name) (\(uses.joined(separator: ", ")))"
      }
      return "\(card.name) [\(card.id)]" + (streams.isEmpty ? "" : ": " + streams.joined(separator: ", "))
    }
    return cards.joined(separator: "; ")
  }

  private var priorityText: String {
    let limit = report.priority.limit.map { "limit \($0)" } ?? "no limit"
    return report.priority.isGranted ? "SCHED_FIFO is granted (\(limit))" : "SCHED_FIFO is refused (\(limit))"
  }

  private var clockText: String {
    "resolution \(report.clock.resolutionNanoseconds) ns; a 10 ms timer is late by "
      + "\(microseconds(report.clock.medianLatenessNanoseconds)) µs (p50), "
      + "\(microseconds(report.clock.maximumLatenessNanoseconds)) µs (max)"
  }

  private func row(_ subject: String, _ text: String, _ advice: String? = nil, lacking: String = "missing") -> String {
    let state = advice == nil ? "ok" : lacking
    let line = TextWrapper.definition(pad(state, 9) + subject, text, column: 21, width: width)
    let painted = (advice == nil ? style.good(state) : style.warning(state)) + line.dropFirst(state.count)
    return painted + (advice.map { TextWrapper.paragraph($0, indentation: 21, width: width) } ?? "")
  }

  private func pad(_ text: String, _ count: Int) -> String {
    text + String(repeating: " ", count: max(0, count - text.count))
  }
  private func microseconds(_ nanoseconds: Int) -> Int { (nanoseconds + 500) / 1000 }
  private func mebibytes(_ bytes: Int) -> Int { bytes >> 20 }
}
