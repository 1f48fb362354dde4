# table.awk NAME=KERNEL rows.tsv - writes the CUDA source of a table of scalar instructions: KERNEL executes each row
# over the same operands. Row k of `out` has the results of instruction k. nvcc makes the PTX of the folder from it:
#     awk -f table.awk NAME=table_int table_int/rows.tsv >table_int.cu
BEGIN {
    FS = "\t"
    split("bf16 h bf16x2 r f16 h f16x2 r f32 f f64 d i16 h i32 r i64 l", pair, " ")
    for (i = 1; i in pair; i += 2) class[pair[i]] = pair[i + 1]
    word["h"] = "unsigned short"; word["r"] = word["f"] = "unsigned int"; word["l"] = word["d"] = "unsigned long long"
    value["h"] = "unsigned short"; value["r"] = "unsigned int"; value["l"] = "unsigned long long"
    value["f"] = "float"; value["d"] = "double"
    cast["f"] = "__uint_as_float"; cast["d"] = "__longlong_as_double"
}
/^#/ { next }
{
    text = $3
    sub(/^\{/, "{ ", text)
    while (match(text, /\.[a-z0-9.:_]+ d[,|]/)) # the first operand of an instruction; an input may be called d too
        text = substr(text, 1, RSTART + RLENGTH - 3) "%0" substr(text, RSTART + RLENGTH - 1)
    n = split($4, input, " ")
    operands = ""
    for (i = 1; i <= n; i++) {
        split(input[i], side, "=")
        columns[side[2]] = 1
        split(side[2], part, "_")
        c = class[part[2]]
        operands = operands (i > 1 ? ", " : "") "\"" c "\"(" (c in cast ? cast[c] "(v" side[2] ")" : "v" side[2]) ")"
        text = put(text, side[1], "%" i)
    }
    result = result_of($3, $2)
    rows[++n_rows] = "    { " value[result] " x; asm(\"" text "\" : \"=" result "\"(x)" \
        (n ? " : " operands : "") "); reinterpret_cast<" value[result] " *>(out + " $1 ")[i] = x; }"
}
# Every word `name` of the text becomes `to`; names of instructions and registers stay.
function put(text, name, to,    done) {
    while (match(text, "(^|[ ,{(])" name "[ ,;})|.]")) {
        done = done substr(text, 1, RSTART) to
        text = substr(text, RSTART + 2)
    }
    return done text
}
# The class of the result: a float if the first type of the instruction that writes d is one.
function result_of(text, bytes,    type) {
    if (bytes == 2) return "h"
    if (match(text, /[a-z0-9.:_]+ d,/)) {
        type = substr(text, RSTART, RLENGTH)
        if (match(type, /\.(bf16x2|bf16|f16x2|f16|tf32|f32|f64|[busp][0-9]+|e[0-9]m[0-9]x[0-9])/))
            type = substr(type, RSTART + 1, RLENGTH - 1)
    }
    return bytes == 4 ? (type == "f32" ? "f" : "r") : (type == "f64" ? "d" : "l")
}
END {
    n = 0
    for (column in columns) {
        for (i = ++n; i > 1 && name[i - 1] > column; i--) name[i] = name[i - 1]
        name[i] = column
    }
    print "// Every variant of a group of scalar instructions, each over the same operand sets; row k of the output is variant k."
    print "// Written by table.awk from rows.tsv, which names the instruction of every row.\n"
    printf "extern \"C\" __global__ void __launch_bounds__(128) %s(", NAME
    for (i = 1; i <= n; i++) {
        split(name[i], part, "_")
        printf "const %s *__restrict__ %s, ", word[class[part[2]]], name[i]
    }
    print "unsigned char *__restrict__ out)\n{\n    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;"
    for (i = 1; i <= n; i++) {
        split(name[i], part, "_")
        print "    const " word[class[part[2]]] " v" name[i] " = " name[i] "[i];"
    }
    for (i = 1; i <= n_rows; i++) print rows[i]
    print "}"
}
