package import Foundation
package import FoundationXML
import Testing

/// The elements of a document, taken apart by a parser that is not ours.
package final class SVGElements: NSObject, XMLParserDelegate {
  package final class Element {
    package let name: String
    package let attributes: [String: String]
    package fileprivate(set) var text = ""

    init(name: String, attributes: [String: String]) {
      self.name = name
      self.attributes = attributes
    }

    /// The points of a path of straight lines, line by line.
    package var lines: [[(x: Double, y: Double)]] {
      var lines: [[(x: Double, y: Double)]] = []
      var number = ""
      var command: Character = " "
      var numbers: [Double] = []
      func end() {
        if let value = Double(number) { numbers.append(value) }
        number = ""
      }
      func finish() {
        end()
        let last = lines.last?.last
        switch command {
        case "M": lines.append([(numbers[0], numbers[1])])
        case "L": lines[lines.count - 1].append((numbers[0], numbers[1]))
        case "H": lines[lines.count - 1].append((numbers[0], last!.y))
        case "V": lines[lines.count - 1].append((last!.x, numbers[0]))
        default: break
        }
        numbers = []
      }
      for character in attributes["d"] ?? "" {
        switch character {
        case "M", "L", "H", "V", "Z":
          finish()
          command = character
        case ",", " ": end()
        default: number.append(character)
        }
      }
      finish()
      return lines
    }
  }

  package private(set) var all: [Element] = []
  private var open: [Element] = []

  /// Throws: where the text is no well-formed document.
  package init(_ text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    let isWellFormed = parser.parse()
    try #require(isWellFormed, "\(String(describing: parser.parserError))")
  }

  package func named(_ name: String) -> [Element] { all.filter { $0.name == name } }

  /// Paths with a class among theirs.
  package func paths(_ style: String) -> [Element] {
    named("path").filter { $0.attributes["class"]?.split(separator: " ").contains(Substring(style)) == true }
  }

  package var texts: [String] { named("text").map(\.text) }

  package func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    let element = Element(name: name, attributes: attributes)
    all.append(element)
    open.append(element)
  }

  package func parser(_ parser: XMLParser, foundCharacters string: String) { open.last?.text += string }

  package func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) { open.removeLast() }
}
