import CommandTestSupport
import Foundation
import FoundationXML
import TestSupport
import Testing

@Suite("--plot", .timeLimit(.minutes(10)))
struct PictureTests {
  private static let speech = "/usr/share/sounds/alsa/Front_Center.wav"
  private static let tone = Signals.wave(
    "s16", rate: 16_000, channels: 1, Signals.sine(200, rate: 16_000, seconds: 0.5, amplitude: 0.5))

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    for name in ["a", "b"] { try folder.write(name + ".wav", Self.tone.file()) }
    return folder
  }

  private func svg(_ name: String, in folder: Workspace) throws -> SVGElements {
    try SVGElements(String(decoding: try folder.read(name), as: UTF8.self))
  }

  /// Width and height as a PNG's first chunk has them (RFC 2083, section 4.1.1).
  private func pngSize(_ bytes: [UInt8]) throws -> [Int] {
    let isPNG = bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) && bytes.count > 24
    try #require(isPNG && bytes[12..<16].elementsEqual("IHDR".utf8))
    return [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
  }

  @Test("a picture of speech is valid SVG with the pitch of the table", .shows("analyze: pictures"))
  func speech() throws {
    let folder = try Workspace()
    let ending = try Tool.call("analyze \(Self.speech) --pitch --csv p.csv --plot p.svg", in: folder)
    #expect(ending.status == 0 && !folder.has("p.svg.part"), "\(ending.errors)")
    #expect(try Tool.shell("xmllint --noout p.svg", in: folder).status == 0)
    let svg = try svg("p.svg", in: folder)
    for text in [Self.speech, "48 kHz · mono · 1.43 s", "waveform", "level, dBFS", "f0, Hz", "time, seconds"] {
      #expect(svg.texts.contains(text), "\(text) \(svg.texts)")
    }
    // Its points are the voiced rows of the table, and it is broken where that has zeros.
    let rows = String(decoding: try folder.read("p.csv"), as: UTF8.self).split(separator: "\n").dropFirst().map {
      $0.split(separator: ",").compactMap { Double($0) }
    }
    let frame = try #require(svg.paths("frame").last?.lines.first)
    let (left, right, top, bottom) = (
      frame.map(\.x).min()!, frame.map(\.x).max()!, frame.map(\.y).min()!, frame.map(\.y).max()!
    )
    let lines = svg.paths("pitch").flatMap(\.lines).filter { $0[0].y >= top }
    let runs = rows.split { $0[1] == 0 }
    try #require(lines.count == runs.count && runs.count > 1)
    for (line, run) in zip(lines, runs) {
      for row in run {
        let x = left + (right - left) * row[0] / (68_545.0 / 48_000)
        let y = bottom - (bottom - top) * log(row[1] / 60) / log(500 / 60.0)
        #expect(line.contains { abs($0.x - x) <= 0.11 && abs($0.y - y) <= 0.11 }, "\(row)")
      }
    }
  }

  @Test(
    "a PNG has the requested size in light or dark", .shows("pictures: kinds"),
    arguments: ["light", "dark", "auto"])
  func png(theme: String) throws {
    let folder = try folder()
    let line = "analyze a.wav --plot p.png --plot-size 640x480 --plot-theme \(theme)"
    let ending = try Tool.call(line, in: folder)
    #expect(ending.status == 0 && !folder.has("p.png.part"), "\(ending.errors)")
    #expect(try pngSize(folder.read("p.png")) == [640, 480])
    // The corner of what ffmpeg reads there is the theme's background.
    let corner = try Tool.shell(
      "ffmpeg -loglevel error -i p.png -vf crop=1:1:2:2 -f rawvideo -pix_fmt rgb24 -", in: folder)
    #expect(corner.output == (theme == "dark" ? [0x14, 0x18, 0x1D] : [0xFF, 0xFF, 0xFF]))
    #expect(try Tool.call("analyze a.wav --plot q.png", in: folder).status == 0)
    #expect(try pngSize(folder.read("q.png"))[0] == 1_200)
  }

  @Test("the picture of process shows its output and its events", .shows("process: picture"))
  func output() throws {
    let folder = try folder()
    // Half a second of the tone, 20 dB down, then an effect at full level.
    try folder.write(
      "loud.wav", Signals.wave("s16", rate: 16_000, channels: 1, [Double](repeating: 0.5, count: 8_000)).file())
    let line = "process a.wav -o out.wav --channels 2 --gain -20 --effect 7=loud.wav:at=1 --plot p.svg"
    let ending = try Tool.call(line, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let svg = try svg("p.svg", in: folder)
    #expect(
      svg.texts.contains("out.wav") && svg.texts.contains("output of process from a.wav · 16 kHz · stereo · 1.5 s"))
    #expect(svg.texts.contains("effect 7 ends") && svg.texts.contains("left") && svg.texts.contains("right"))
    let frame = try #require(svg.paths("frame")[2].lines.first)
    let (top, bottom) = (frame.map(\.y).min()!, frame.map(\.y).max()!)
    let (left, right) = (frame.map(\.x).min()!, frame.map(\.x).max()!)
    let peaks = try #require(svg.paths("peak").first?.lines.first)
    func peak(_ seconds: Double) -> Double {
      let x = left + (right - left) * seconds / 1.5
      let y = peaks.min { abs($0.x - x) < abs($1.x - x) }!.y
      return -60 * (y - top) / (bottom - top)
    }
    // A tone of 0.5 and -20 dB; nothing; 0.5, which the gain of what is heard lowers too.
    #expect(abs(peak(0.25) + 26.02) < 0.2 && peak(0.75) < -59 && abs(peak(1.25) + 26.02) < 0.2)
    let tick = try #require(svg.paths("event").first?.lines.first?.first)
    #expect(abs(tick.x - right) < 1)
    // Without an output the picture says that nothing was written.
    #expect(try Tool.call("process b.wav --plot q.svg", in: folder).status == 0)
    let texts = try self.svg("q.svg", in: folder).texts
    #expect(texts.contains("b.wav") && texts.contains { $0.hasPrefix("output that process would write · 16 kHz") })
  }

  @Test("several inputs have a picture each, independent of the jobs", .shows("pictures: kinds"))
  func several() throws {
    let folder = try folder()
    for command in ["analyze", "process"] {
      var pictures: [[UInt8]] = []
      for jobs in [1, 2] {
        let line = "\(command) a.wav b.wav --plot \(command).svg --overwrite --jobs \(jobs)"
        #expect(try Tool.call(line, in: folder).status == 0)
        for name in ["a", "b"] { pictures.append(try folder.read("\(command).\(name).wav.svg")) }
      }
      #expect(pictures[0] == pictures[2] && pictures[1] == pictures[3] && !folder.has(command + ".svg"))
    }
    let list = try Tool.call("process a.wav b.wav --out-dir out --plot p.svg --dry-run", in: folder)
    #expect(list.text.contains("picture: p.a.wav.svg") && list.text.contains("picture: p.b.wav.svg"))
    #expect(!folder.has("p.a.wav.svg"))
  }

  @Test(
    "wrong picture options are refused with one sentence and 64", .shows("pictures: kinds"),
    arguments: [
      ("--plot p.jpg", "'p.jpg'; let it end in .svg or .png"), ("--plot p", ".svg or .png"),
      ("--plot -", "not stdout"), ("--plot .svg", ".svg or .png"), ("--plot-theme dark", "add --plot"),
      ("--plot p.svg --plot-size 100x100", "400"), ("--plot p.svg --plot-size 800", "1600x900"),
      ("--plot p.svg --plot-theme drak", "did you mean 'dark'?"), ("--csv p.csv --plot p.svg", "--pitch"),
    ])
  func refused(options: String, words: String) throws {
    let folder = try folder()
    let command = options.contains("csv") ? "analyze" : "process"
    let ending = try Tool.call("\(command) a.wav \(options)", in: folder)
    #expect(ending.status == 64 && ending.failures.count == 1 && ending.errors.contains(words), "\(ending.errors)")
    #expect(!folder.has("p.svg") && !folder.has("p.jpg"))
  }

  @Test("an existing picture is replaced only with --overwrite")
  func overwrite() throws {
    let folder = try folder()
    try folder.write("p.svg", [1])
    try folder.write("in.svg", Self.tone.file())
    for command in ["analyze", "process"] {
      let kept = try Tool.call("\(command) a.wav --plot p.svg", in: folder)
      #expect(kept.status == 73 && kept.errors.contains("--overwrite"), "\(kept.errors)")
      #expect(try folder.read("p.svg") == [1])
      #expect(try Tool.call("\(command) in.svg --plot in.svg --overwrite", in: folder).status == 64)
      #expect(try Tool.call("\(command) a.wav --plot no/p.svg", in: folder).status == 73)
    }
    #expect(try Tool.call("process a.wav --plot p.svg --report p.svg --overwrite", in: folder).status == 64)
    #expect(try Tool.call("analyze a.wav --plot p.svg --overwrite", in: folder).status == 0)
    #expect(try svg("p.svg", in: folder).texts.contains("a.wav"))
  }

  @Test("without rsvg-convert a PNG is refused with 69, and an SVG is drawn", .shows("pictures: kinds"))
  func missingProgram() throws {
    let folder = try folder()
    for line in [
      "analyze a.wav missing.wav --plot p.png", "process a.wav -o out.wav --plot p.png",
      "process a.wav -o out.wav --plot p.png --dry-run",
    ] {
      let ending = try Tool.shell("PATH=/nowhere $A \(line)", in: folder)
      #expect(ending.status == 69 && ending.failures.count == 1 && ending.output.isEmpty, "\(ending.errors)")
      #expect(ending.errors.contains("librsvg2-bin") && ending.errors.contains(".svg"), "\(ending.errors)")
      #expect(!folder.has("out.wav") && !folder.has("out.wav.part"))
    }
    #expect(try Tool.shell("PATH=/nowhere $A analyze a.wav --plot p.svg", in: folder).status == 0)
  }

  @Test("a failed rsvg-convert exits with 69 and leaves no picture")
  func failingProgram() throws {
    let folder = try folder()
    for script in ["echo half; exit 3", "cat > /dev/null; kill -9 $$"] {
      try folder.write("rsvg-convert", Array("#!/bin/sh\n\(script)\n".utf8))
      let line = "chmod +x rsvg-convert; PATH=$PWD:$PATH $A process a.wav -o out.wav --overwrite --plot p.png"
      let ending = try Tool.shell(line, in: folder)
      #expect(ending.status == 69 && ending.errors.contains("rsvg-convert"), "\(ending.errors)")
      #expect(!folder.has("p.png") && !folder.has("p.png.part") && folder.has("out.wav"))
    }
  }

  @Test("an interrupted job has a picture that shows its early end", .shows("process: picture"))
  func interrupted() throws {
    let folder = try Workspace()
    let run = try Tool.launch(
      "process /dev/zero --plot p.svg --raw s16:48000:1 -q".replacingOccurrences(of: "/dev/zero", with: "-"),
      in: folder,
      input: FileHandle(forReadingAtPath: "/dev/zero"))
    let hasBegun = run.poll { kill(run.process.processIdentifier, 0) == 0 && isReading(run.process.processIdentifier) }
    run.signal(SIGINT)
    let ending = try Tool.finish(run, in: folder)
    #expect(hasBegun && ending.status == 130, "\(ending.errors)")
    let texts = try svg("p.svg", in: folder).texts
    #expect(texts.contains { $0.hasSuffix("stopped before its end") }, "\(texts)")
  }

  /// Whether a process has read a second of 48 kHz, as the kernel counts it.
  private func isReading(_ identifier: Int32) -> Bool {
    let text = (try? String(contentsOfFile: "/proc/\(identifier)/io", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("rchar:") }
    return (line?.split(separator: " ").last.flatMap { Int($0) } ?? 0) > 1_000_000
  }
}
