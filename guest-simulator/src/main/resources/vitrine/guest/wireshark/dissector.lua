-- Everything above is a table made from the code of the daemon; from here on it is written by hand.
--
-- A packet is an event: a tag, a stamp, and the fields that EVENTS has for the tag. Two kinds of events
-- carry bytes of FUSE, which are taken apart by REQUESTS, REPLIES and STRUCTS. Every length in a packet
-- is a claim, and is compared with what is there.

local LINK_TYPE = wtap.USER0 -- 147
local IN_HEADER, REQUEST_DECODED, REPLY_GIVEN = "fuse_in_header", 10, 11
local INTEGER, TEXT, BYTES, LIST = 1, 2, 3, 4
local STAMP = { "nanos", "actor", "thread", "queue", "head", "unique", "guest_call" }

local vitrine = Proto("vitrine", "Vitrine")
local fuse = Proto("fuse", "FUSE")
local vhostuser = Proto("vhostuser", "vhost-user")

-- ---- what a display filter can name

local declared = { [vitrine] = {}, [fuse] = {}, [vhostuser] = {} }
local fields = {}

local function declare(proto, filter, field)
    if not fields[filter] then
        fields[filter] = field
        table.insert(declared[proto], field)
    end
end

local function is_padding(name)
    return name:find("^_*padding") or name:find("^_*unused") or name:find("^_*spare") or name:find("^dummy")
        or name:find("^_*reserved")
end

-- fuse_write_in.offset is fuse.write_in.offset; the header's fields are fuse.nodeid and so on.
local function prefix_of(struct)
    return struct == IN_HEADER and "fuse" or "fuse." .. struct:gsub("^fuse_", "")
end

local function number_field(filter, entry)
    if filter == "fuse.opcode" then
        return ProtoField.uint32(filter, entry.name, base.DEC, OPCODES)
    end
    local shown = base.DEC
    if #entry.flags > 0 then shown = base.HEX end
    if entry.name == "mode" or entry.name == "umask" then shown = base.OCT end
    if entry.size == 8 then return ProtoField.uint64(filter, entry.name, shown) end
    if entry.size == 4 then return ProtoField.uint32(filter, entry.name, shown) end
    if entry.size == 2 then return ProtoField.uint16(filter, entry.name, shown) end
    return ProtoField.uint8(filter, entry.name, shown)
end

for struct, layout in pairs(STRUCTS) do
    local whole_struct = "fuse." .. struct:gsub("^fuse_", "")
    declare(fuse, whole_struct, ProtoField.none(whole_struct, "struct " .. struct))
    for _, entry in ipairs(layout.fields) do
        local filter = prefix_of(struct) .. "." .. entry.name
        if not entry.struct and not entry.bytes and not is_padding(entry.name) then
            declare(fuse, filter, number_field(filter, entry))
            for _, flag in ipairs(entry.flags) do
                local name = filter .. "." .. flag.name:lower()
                declare(fuse, name, ProtoField.bool(name, flag.name, entry.size * 8, nil, flag.bit))
            end
        end
    end
end

for _, pieces in pairs(REQUESTS) do
    for _, piece in ipairs(pieces) do
        local filter = "fuse." .. piece[2]
        if piece[1] == "name" then declare(fuse, filter, ProtoField.string(filter, piece[2])) end
        if piece[1] == "bytes" then declare(fuse, filter, ProtoField.bytes(filter, piece[2])) end
    end
end
declare(fuse, "fuse.error", ProtoField.uint32("fuse.error", "error", base.DEC, ERRNOS))
declare(fuse, "fuse.payload", ProtoField.int64("fuse.payload", "bytes after the header"))
declare(fuse, "fuse.target", ProtoField.string("fuse.target", "target"))
declare(fuse, "fuse.reply_in", ProtoField.framenum("fuse.reply_in", "reply in", base.NONE, frametype.RESPONSE))
declare(fuse, "fuse.request_in", ProtoField.framenum("fuse.request_in", "request in", base.NONE, frametype.REQUEST))
declare(fuse, "fuse.time", ProtoField.relative_time("fuse.time", "time since the request"))

declare(vitrine, "vitrine.event", ProtoField.string("vitrine.event", "event"))
for _, name in ipairs(STAMP) do
    local filter = "vitrine." .. name
    if name == "actor" or name == "thread" then
        declare(vitrine, filter, ProtoField.string(filter, name))
    elseif name == "unique" then
        declare(vitrine, filter, ProtoField.uint64(filter, name))
    elseif name ~= "nanos" then
        declare(vitrine, filter, ProtoField.int64(filter, name))
    end
end
for _, event in pairs(EVENTS) do
    local proto = event.filter == "vhostuser" and vhostuser or vitrine
    if proto == vitrine then declare(vitrine, event.filter, ProtoField.none(event.filter, event.event)) end
    for _, entry in ipairs(event.fields) do
        local filter = event.filter .. "." .. entry.name
        if entry.name == "errno" or entry.name == "error" then
            declare(proto, filter, ProtoField.uint32(filter, entry.name, base.DEC, ERRNOS))
        elseif entry.kind == "integer" then
            declare(proto, filter, ProtoField.int64(filter, entry.name))
        elseif entry.kind ~= "bytes" then
            declare(proto, filter, ProtoField.string(filter, entry.name))
        end
    end
end

for proto, list in pairs(declared) do
    proto.fields = list
end

local damaged = ProtoExpert.new("vitrine.damaged", "This is shorter than it says", expert.group.MALFORMED, expert.severity.WARN)
vitrine.experts = { damaged }

-- ---- structs

local function number_in(range)
    if range:len() == 8 then return range:le_uint64() end
    return range:le_uint()
end

local function add_number(tree, filter, entry, range)
    local item = tree:add_le(fields[filter], range)
    local names, value = {}, range:len() == 8 and range:le_uint64():tonumber() or range:le_uint()
    for _, flag in ipairs(entry.flags) do
        item:add_le(fields[filter .. "." .. flag.name:lower()], range)
        if math.floor(value / flag.bit) % 2 == 1 then table.insert(names, flag.name) end
    end
    if #names > 0 then item:append_text(" (" .. table.concat(names, "|") .. ")") end
end

-- Adds a struct that begins at `at`; returns where it ends, or nil if it is not all there. Of an older
-- form, which has fewer fields, the size is given.
local function add_struct(tree, tvb, at, struct, size)
    local layout = STRUCTS[struct]
    local last = at + (size or layout.size)
    if last > tvb:len() then
        tree:add_proto_expert_info(damaged)
        return nil
    end
    local branch = tree:add(fields["fuse." .. struct:gsub("^fuse_", "")], tvb(at, last - at))
    for _, entry in ipairs(layout.fields) do
        if at == last then break end
        if entry.struct then
            add_struct(branch, tvb, at, entry.struct)
        elseif fields[prefix_of(struct) .. "." .. entry.name] then
            add_number(branch, prefix_of(struct) .. "." .. entry.name, entry, tvb(at, entry.size))
        end
        at = at + entry.size
    end
    return at
end

-- A name ends with a zero byte; returns what is behind it.
local function add_name(tree, tvb, at, filter)
    local last = at
    while last < tvb:len() and tvb(last, 1):uint() ~= 0 do last = last + 1 end
    if last == tvb:len() then
        tree:add_proto_expert_info(damaged)
        return nil
    end
    tree:add(fields[filter], tvb(at, last - at + 1), tvb:raw(at, last - at))
    return last + 1
end

local function add_list(tree, tvb, at, struct)
    while at and at < tvb:len() do
        at = add_struct(tree, tvb, at, struct)
    end
    return at
end

-- ---- requests and replies: who answers whom

local asked, answered, request_of = {}, {}, {}

function vitrine.init()
    asked, answered, request_of = {}, {}, {}
end

-- SETXATTR has 8 bytes before its name, or 16 if SETXATTR_EXT was agreed: the one that adds up.
local function size_of_setxattr(tvb, at)
    local name = at + 8
    while name < tvb:len() and tvb(name, 1):uint() ~= 0 do name = name + 1 end
    local value = at + 4 <= tvb:len() and tvb(at, 4):le_uint() or 0
    return name > at + 8 and name + 1 + value == tvb:len() and 8 or nil
end

local function dissect_request(tvb, pinfo, tree)
    local branch = tree:add(fuse, tvb())
    if tvb:len() < STRUCTS[IN_HEADER].size then
        branch:add_proto_expert_info(damaged)
        return
    end
    local opcode, unique = tvb(4, 4):le_uint(), tostring(tvb(8, 8):le_uint64())
    if not pinfo.visited then
        asked[unique] = { frame = pinfo.number, opcode = opcode, time = pinfo.abs_ts }
    end
    branch:append_text(", " .. (OPCODES[opcode] or "unknown request"))
    if SENTENCES[opcode] then branch:append_text(": " .. SENTENCES[opcode]) end
    if answered[pinfo.number] then
        branch:add(fields["fuse.reply_in"], answered[pinfo.number]):set_generated()
    end
    local at = add_struct(branch, tvb, 0, IN_HEADER)
    for _, piece in ipairs(REQUESTS[opcode] or { { "bytes", "body" } }) do
        local kind, what = piece[1], piece[2]
        if not at then return end
        if kind == "struct" then
            at = add_struct(branch, tvb, at, what, what == "fuse_setxattr_in" and size_of_setxattr(tvb, at) or nil)
        elseif kind == "name" then
            at = add_name(branch, tvb, at, "fuse." .. what)
        elseif kind == "list" then
            at = add_list(branch, tvb, at, what)
        elseif at < tvb:len() then
            branch:add(fields["fuse." .. what], tvb(at))
            at = tvb:len()
        end
    end
end

local function add_reply_content(tree, tvb, opcode, payload)
    local structs = REPLIES[opcode] or {}
    local name = OPCODES[opcode]
    if name == "READLINK" then
        tree:add(fields["fuse.target"], tvb())
    elseif (name == "GETXATTR" or name == "LISTXATTR") and payload ~= STRUCTS[structs[1]].size then
        tree:add(fields["fuse.value"], tvb())
    else
        local at = 0
        for _, struct in ipairs(structs) do
            at = at and add_struct(tree, tvb, at, struct)
        end
    end
end

local function dissect_reply(tvb, pinfo, tree, event, unique)
    local branch = tree:add(fuse, tvb and tvb() or nil)
    if not pinfo.visited and asked[unique] then
        request_of[pinfo.number] = asked[unique]
        answered[asked[unique].frame] = pinfo.number
        asked[unique] = nil
    end
    local request = request_of[pinfo.number]
    branch:append_text(", reply")
    branch:add(fields["fuse.error"], event.error.range, event.error.value)
    branch:add(fields["fuse.payload"], event.payload.range, Int64(event.payload.value))
    if request then
        branch:append_text(" to " .. (OPCODES[request.opcode] or "an unknown request"))
        branch:add(fields["fuse.opcode"], request.opcode):set_generated()
        branch:add(fields["fuse.request_in"], request.frame):set_generated()
        branch:add(fields["fuse.time"], NSTime(0, math.floor((pinfo.abs_ts - request.time) * 1e9 + 0.5))):set_generated()
        if tvb then add_reply_content(branch, tvb, request.opcode, event.payload.value) end
    end
    return request and OPCODES[request.opcode] or "a request"
end

-- ---- an event's fields: a kind, and a value of that kind

-- Reads the field at `at`; returns it and what is behind it, or nil if it is not all there.
local function read_field(tvb, at)
    if at + 5 > tvb:len() then return nil end
    local kind = tvb(at, 1):uint()
    if kind == INTEGER then
        if at + 9 > tvb:len() then return nil end
        local range = tvb(at + 1, 8)
        return { kind = kind, range = range, value = range:le_int64():tonumber() }, at + 9
    end
    local count = tvb(at + 1, 4):le_uint()
    if kind == LIST then
        return { kind = kind, range = tvb(at, 5), value = count }, at + 5
    end
    if (kind ~= TEXT and kind ~= BYTES) or at + 5 + count > tvb:len() then return nil end
    local range = count > 0 and tvb(at + 5, count) or nil
    return { kind = kind, range = range, value = range and range:string(ENC_UTF_8) or "" }, at + 5 + count
end

local function read_list(tvb, at, list, names)
    local elements = {}
    for _ = 1, #names > 0 and math.floor(list.value / #names) or 0 do
        local values, from = {}, at
        for i = 1, #names do
            local part
            part, at = read_field(tvb, at)
            if not part then return nil end
            values[i] = tostring(part.value):gsub("%.0$", "")
        end
        local text = values[1] .. "=" .. (values[2] or "")
        if names[2] == "writable" then
            text = values[1] .. (values[2] == "1" and " bytes, writable" or " bytes, readable")
        end
        table.insert(elements, { range = tvb(from, at - from), value = text })
    end
    list.elements = elements
    return at
end

-- Reads the fields that a tag is known to have, by their names; nil if the packet does not have them.
local function read_event(tvb, event)
    local read, at = {}, 1
    for _, name in ipairs(STAMP) do
        read[name], at = read_field(tvb, at)
        if not read[name] then return nil end
    end
    for _, entry in ipairs(event.fields) do
        read[entry.name], at = read_field(tvb, at)
        if read[entry.name] and entry.kind == "list" then
            at = read_list(tvb, at, read[entry.name], entry.each)
        end
        if not at then return nil end
    end
    return read
end

local function add_event(tree, event, read)
    local branch = event.filter == "vhostuser" and tree or tree:add(fields[event.filter])
    for _, entry in ipairs(event.fields) do
        local part, known = read[entry.name], fields[event.filter .. "." .. entry.name]
        if entry.kind == "list" then
            for _, element in ipairs(part.elements) do
                branch:add(known, element.range, element.value)
            end
        elseif entry.kind == "integer" and (entry.name == "errno" or entry.name == "error") then
            branch:add(known, part.range, part.value)
        elseif entry.kind == "integer" then
            branch:add(known, part.range, part.range:le_int64())
        elseif entry.kind == "text" and part.range then
            branch:add(known, part.range, part.value)
        end
    end
end

local function add_stamp(tree, read)
    tree:add(fields["vitrine.actor"], read.actor.range, read.actor.value)
    if read.thread.range then tree:add(fields["vitrine.thread"], read.thread.range, read.thread.value) end
    for name, none in pairs({ queue = -1, head = -1, guest_call = 0 }) do
        if read[name].value ~= none then
            tree:add(fields["vitrine." .. name], read[name].range, read[name].range:le_int64())
        end
    end
    if read.unique.value ~= 0 then tree:add_le(fields["vitrine.unique"], read.unique.range) end
end

-- ---- a line for the list of packets

local function whole(part)
    return string.format("%.0f", part.value)
end

local function ended(read)
    local errno = read.errno.value
    return " = " .. (errno == 0 and whole(read.result) or (ERRNOS[errno] or "errno " .. errno))
end

local function with_list(text, list)
    local parts = { text }
    for i = 1, math.min(#list.elements, 6) do
        parts[i + 1] = list.elements[i].value
    end
    return table.concat(parts, "  ")
end

local LINES = {
    GuestCallEntered = function(e) return e.name.value .. "(" .. e.arguments.value .. ")" end,
    GuestCallReturned = function(e) return e.name.value .. ended(e) end,
    GuestDecision = function(e) return e.rule.value .. ": " .. e.outcome.value end,
    RequestQueued = function(e) return e.opcode.value .. " queued in " .. #e.descriptors.elements .. " descriptors" end,
    RingAccess = function(e)
        return e.access.value .. " " .. e.area.value .. "+" .. whole(e.offset) .. ": " .. whole(e.value)
    end,
    Notified = function(e) return e.signal.value end,
    ChainPopped = function(e)
        return "chain " .. whole(e.head) .. " taken: " .. whole(e.readable) .. " bytes to read, "
            .. whole(e.writable) .. " to write, " .. whole(e.descriptors) .. " descriptors"
    end,
    ChainRefused = function(e) return "chain refused: " .. e.why.value end,
    ChainPushed = function(e) return "chain " .. whole(e.head) .. " given back, " .. whole(e.written) .. " bytes written" end,
    RequestDecoded = function(e) return with_list(e.opcode.value .. "  nodeid " .. whole(e.nodeid), e.fields) end,
    ReplyGiven = function(e, request)
        local errno = e.error.value
        local said = errno == 0 and "done" or (ERRNOS[errno] or "errno " .. errno)
        return with_list("reply to " .. request .. ": " .. said, e.fields)
    end,
    HostCall = function(e)
        return e.name.value .. "(" .. e.arguments.value .. ")" .. ended(e)
            .. string.format("  %.1f us", e.nanos.value / 1000)
    end,
    ControlMessage = function(e)
        return (e.direction.value == "TO_BACK_END" and "-> " or "<- ") .. e.name.value .. "  " .. e.summary.value
    end,
    Dropped = function(e) return whole(e.events) .. " events are missing here" end,
}

-- ---- the packet

function vitrine.dissector(tvb, pinfo, root)
    local event = tvb:len() > 5 and tvb(1, 1):uint() == INTEGER and EVENTS[tvb(0, 1):uint()]
    if not event then return 0 end -- another program's packet of the same link type
    local tag = tvb(0, 1):uint()
    local tree = root:add(vitrine, tvb())
    local read = read_event(tvb, event)
    pinfo.cols.protocol = "Vitrine"
    tree:add(fields["vitrine.event"], tvb(0, 1), event.event)
    if not read then
        pinfo.cols.info = event.event .. ", damaged"
        tree:add_proto_expert_info(damaged)
        return tvb:len()
    end
    add_stamp(tree, read)
    pinfo.cols.src = read.actor.value
    local request
    if event.filter == "vhostuser" then
        pinfo.cols.protocol = "vhost-user"
        tree = root:add(vhostuser, tvb())
    end
    add_event(tree, event, read)
    if tag == REQUEST_DECODED then
        pinfo.cols.protocol = "FUSE"
        if read.raw.range then dissect_request(read.raw.range:tvb(), pinfo, root) end
    elseif tag == REPLY_GIVEN then
        pinfo.cols.protocol = "FUSE"
        local unique = tostring(read.unique.range:le_uint64())
        request = dissect_reply(read.raw.range and read.raw.range:tvb(), pinfo, root, read, unique)
    end
    pinfo.cols.info = LINES[event.event](read, request)
    return tvb:len()
end

DissectorTable.get("wtap_encap"):add(LINK_TYPE, vitrine)
