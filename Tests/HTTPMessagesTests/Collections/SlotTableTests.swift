// SPDX-License-Identifier: MIT

import HTTPMessages
import Testing

struct SlotTableTests {
    private final class Element {}

    @Test func `an element is found under its number until it is removed`() {
        var table = SlotTable<Element>()
        let first = Element()
        let second = Element()
        let one = table.insert(first)
        let two = table.insert(second)

        #expect(table[one] === first)
        #expect(table[two] === second)
        #expect(table.count == 2)

        table.remove(one)

        #expect(table[one] == nil)
        #expect(table.all.map(ObjectIdentifier.init) == [ObjectIdentifier(second)])
        #expect(table.count == 1)
    }

    @Test func `numbers are used again, and the table does not grow`() {
        var table = SlotTable<Element>()
        let elements = (0..<4).map { _ in Element() }
        let slots = elements.map { table.insert($0) }
        table.remove(slots[1])
        table.remove(slots[3])

        let again = [table.insert(Element()), table.insert(Element())]

        #expect(Set(again) == [slots[1], slots[3]])
        #expect(table.count == 4)
        #expect(table.insert(Element()) == 4)
    }
}
